"""Masked PPO in one file: a network learns a game against an agent, from nothing, on a CPU.

    python ppo.py                                    # Kiothi against random, about a minute
    python ppo.py --game rio-kadalis --opponent greedy --iterations 200

Everything is here, from top to bottom: settings, network, rollouts, learning, evaluation. The algorithm is PPO (Schulman
et al., 2017) with generalised advantage estimates (Schulman et al., 2016) and masked logits (Huang and Ontañón, 2022).
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import kiothi


@dataclass
class Settings:
    """What can be set on the command line."""

    game: str = "kiothi"
    """the game: kiothi or rio-kadalis"""
    rules: str = ""
    """its rule set; empty for the default"""
    opponent: str = "random"
    """the agent to learn against"""
    seed: int = 1
    """of everything"""
    iterations: int = 30
    """rollouts to play and learn from"""
    num_envs: int = 128
    """games at once"""
    num_steps: int = 64
    """steps of a rollout in each game"""
    epochs: int = 4
    """passes over a rollout"""
    minibatch: int = 512
    """steps of a gradient"""
    learning_rate: float = 1e-3
    """of Adam; it falls to a tenth towards the end"""
    gamma: float = 1.0
    """discount of a step; games end, so that none is needed"""
    gae_lambda: float = 0.97
    """weight of longer returns in the advantages"""
    clip: float = 0.2
    """how far the policy may move in one iteration, as a ratio of probabilities"""
    entropy: float = 0.01
    """weight of the policy's entropy"""
    value: float = 0.5
    """weight of the value's error"""
    max_grad_norm: float = 0.5
    """gradients are cut to this length"""
    width: int = 256
    """of the two hidden layers"""
    reward: str = "margin"
    """what is learned from: outcome, or margin, which tells more of each game"""
    games: int = 1000
    """games of the evaluation"""
    threads: int = 1
    """of PyTorch; for so small a network more bring little, and much less where other programs run"""


class Network(nn.Module):
    """Policy and value over one trunk."""

    def __init__(self, shape: tuple[int, ...], actions: int, width: int) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Flatten(),
            nn.Linear(int(np.prod(shape)), width),
            nn.ReLU(),
            nn.Linear(width, width),
            nn.ReLU(),
        )
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)
        nn.init.zeros_(self.policy.weight)  # at first every legal action is as likely as the others
        nn.init.zeros_(self.policy.bias)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """Return the policy over the legal actions and the value [batch]."""
        hidden = self.trunk(observations)
        logits = self.policy(hidden).masked_fill(~masks, -1e9)
        return Categorical(logits=logits, validate_args=False), self.value(hidden).squeeze(-1)


def learn(s: Settings) -> Network:
    """Let a network learn, and return it."""
    torch.manual_seed(s.seed)
    torch.set_num_threads(s.threads)
    vec = kiothi.parallel_vec(
        s.game, rules=s.rules, num_envs=s.num_envs, seeds=s.seed, opponent=s.opponent, reward=s.reward
    )
    network = Network(vec.game.observation_shape, vec.game.num_actions, s.width)
    optimizer = torch.optim.Adam(network.parameters(), lr=s.learning_rate, eps=1e-5)

    # The rollout. The vector's arrays are its moments one after the other, copied as they pass.
    n, t = s.num_envs, s.num_steps
    observations = torch.zeros(t, n, *vec.game.observation_shape)
    masks = torch.zeros(t, n, vec.game.num_actions, dtype=torch.bool)
    actions = torch.zeros(t, n, dtype=torch.int64)
    log_probs, values, rewards, ends = (torch.zeros(t, n) for _ in range(4))
    now_observations, now_masks = torch.from_numpy(vec.observations), torch.from_numpy(vec.action_masks)

    began, steps = time.monotonic(), 0
    for iteration in range(s.iterations):
        optimizer.param_groups[0]["lr"] = s.learning_rate * (1 - 0.9 * iteration / s.iterations)

        # Play.
        outcomes: list[float] = []
        for step in range(t):
            observations[step], masks[step] = now_observations, now_masks
            with torch.no_grad():
                policy, values[step] = network(observations[step], masks[step])
            actions[step] = policy.sample()
            log_probs[step] = policy.log_prob(actions[step])
            vec.step(actions[step].numpy())
            rewards[step] = torch.from_numpy(vec.rewards)
            ends[step] = torch.from_numpy(vec.terminated)  # there is no step limit, so no game is truncated
            outcomes += np.sign(vec.rewards[vec.terminated]).tolist()
        steps += t * n

        # Advantages, backwards. Nothing follows the end of a game: what stands there already belongs to the next one.
        with torch.no_grad():
            _, next_value = network(now_observations, now_masks)
        advantages = torch.zeros(t, n)
        advantage = torch.zeros(n)
        for step in reversed(range(t)):
            goes_on = 1 - ends[step]
            error = rewards[step] + s.gamma * goes_on * next_value - values[step]
            advantage = error + s.gamma * s.gae_lambda * goes_on * advantage
            advantages[step], next_value = advantage, values[step]
        returns = advantages + values

        # Learn.
        flat = [x.flatten(0, 1) for x in (observations, masks, actions, log_probs, advantages, returns)]
        for _ in range(s.epochs):
            for batch in torch.randperm(t * n).split(s.minibatch):
                b_observations, b_masks, b_actions, b_log_probs, b_advantages, b_returns = (x[batch] for x in flat)
                policy, value = network(b_observations, b_masks)
                ratio = (policy.log_prob(b_actions) - b_log_probs).exp()
                b_advantages = (b_advantages - b_advantages.mean()) / (b_advantages.std() + 1e-8)
                policy_loss = -torch.min(
                    ratio * b_advantages, ratio.clamp(1 - s.clip, 1 + s.clip) * b_advantages
                ).mean()
                value_loss = 0.5 * (value - b_returns).pow(2).mean()
                loss = policy_loss + s.value * value_loss - s.entropy * policy.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), s.max_grad_norm)
                optimizer.step()

        seconds = time.monotonic() - began
        mean = np.mean(outcomes) if outcomes else float("nan")
        print(
            f"iteration {iteration + 1:4d}  {seconds:5.0f} s  {steps:8d} steps  {steps / seconds:6.0f} steps/s  "
            f"{len(outcomes):4d} games, mean outcome {mean:+.2f}  value loss {value_loss.item():.4f}",
            flush=True,
        )
    vec.close()
    return network


def evaluate(network: Network, s: Settings) -> tuple[int, int, int]:
    """Play games with the most likely actions, seats in turn, and return how many were won, drawn and lost."""
    vec = kiothi.parallel_vec(
        s.game, rules=s.rules, num_envs=s.games, seeds=[10_000 + i for i in range(s.games)], opponent=s.opponent
    )
    results = np.zeros(s.games)
    counted = np.zeros(s.games, np.bool_)
    while not counted.all():  # the first game of each row
        with torch.no_grad():
            policy, _ = network(torch.from_numpy(vec.observations), torch.from_numpy(vec.action_masks))
        vec.step(policy.logits.argmax(-1).numpy())
        first = vec.terminated & ~counted
        results[first] = vec.rewards[first]
        counted |= first
    vec.close()
    return int((results > 0).sum()), int((results == 0).sum()), int((results < 0).sum())


def interval(won: int, drawn: int, lost: int) -> tuple[float, float]:
    """Return the 95 % interval of Wilson (1927) for the score, a draw counted as half a win."""
    n, z = won + drawn + lost, 1.96
    score = (won + drawn / 2) / n
    middle = (score + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * float(np.sqrt(score * (1 - score) / n + z * z / (4 * n * n)))
    return middle - half, middle + half


def main() -> None:
    """Learn, evaluate, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for field in fields(Settings):
        default = field.default
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(default), default=default)
    s = Settings(**vars(parser.parse_args()))
    network = learn(s)
    won, drawn, lost = evaluate(network, s)
    low, high = interval(won, drawn, lost)
    score = (won + drawn / 2) / (won + drawn + lost)
    print(
        f"against {s.opponent}: {won} won, {drawn} drawn, {lost} lost, "
        f"score {score:.1%} (95 % interval {low:.1%} to {high:.1%})"
    )


if __name__ == "__main__":
    main()
