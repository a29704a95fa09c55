"""MaskablePPO of sb3-contrib: a known library learns a game by the Gymnasium environment.

    python maskable_ppo.py                                   # Rio Kadalis against random
    python maskable_ppo.py --env kiothi/Kiothi-v0 --opponent greedy --steps 500000
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import kiothi  # noqa: F401  (registers the environments)


def learn(env_id: str, opponent: str, steps: int, seed: int, num_envs: int) -> Any:
    """Let a model learn from games against an agent, and return it."""
    envs = make_vec_env(
        env_id, n_envs=num_envs, seed=seed, env_kwargs={"opponent": opponent, "reward": "margin", "illegal": "raise"}
    )
    model = MaskablePPO(
        "MlpPolicy", envs, n_steps=max(1, 4096 // num_envs), batch_size=512, n_epochs=4, gamma=1.0, gae_lambda=0.97,
        learning_rate=5e-4, ent_coef=0.01, policy_kwargs={"net_arch": [256, 256]}, seed=seed, device="cpu", verbose=1,
    )  # fmt: skip
    model.learn(steps)
    envs.close()
    return model


def evaluate(model: Any, env_id: str, opponent: str, games: int) -> tuple[int, int, int]:
    """Play games with the most likely actions, seats in turn, and return how many were won, drawn and lost."""
    env = gymnasium.make(env_id, opponent=opponent, illegal="raise")
    won = drawn = lost = 0
    for game in range(games):
        observation, info = env.reset(seed=10_000 + game)
        over, reward = False, 0.0
        while not over:
            action, _ = model.predict(observation, action_masks=info["action_mask"].astype(bool), deterministic=True)
            observation, reward, terminated, truncated, info = env.step(action)  # type: ignore[assignment]
            over = terminated or truncated
        won, drawn, lost = won + (reward > 0), drawn + (reward == 0), lost + (reward < 0)
    env.close()
    return won, drawn, lost


def main() -> None:
    """Learn, evaluate, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--env", default="kiothi/RioKadalis-v0")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--num-envs", type=int, default=16)
    parser.add_argument("--games", type=int, default=500)
    s = parser.parse_args()
    torch.set_num_threads(1)  # for so small a network more threads bring little
    model = learn(s.env, s.opponent, s.steps, s.seed, s.num_envs)
    won, drawn, lost = evaluate(model, s.env, s.opponent, s.games)
    print(f"against {s.opponent}: {won} won, {drawn} drawn, {lost} lost, score {(won + drawn / 2) / s.games:.1%}")


if __name__ == "__main__":
    main()
