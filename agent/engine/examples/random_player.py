#!/usr/bin/env python3
"""An engine for Rio Kadalis that plays at random: the whole of the protocol on a page (see ../README.md)."""
import random
import sys

LIMIT = 100  # turns without a capture that end a game
HOLES = {"standard": 6, "five-holes": 5}


def start(holes):
    return [4] * (2 * holes), [0, 0], 0, 0  # holes (None: closed), stores, player, turns without a capture


def parse(text, holes):
    pits, marks, stores, side, phase, clock = text
    row = [None if n == "x" else int(n) for n in pits.replace("/", ",").split(",")]
    won = [int(n) for n in stores.split("-")]
    if pits.index("/") != len(pits.split("/")[0]) or [len(r.split(",")) for r in pits.split("/")] != [holes, holes]:
        raise ValueError("expected two rows of %d holes" % holes)
    total = sum(n or 0 for n in row) + sum(won)
    if min(n or 0 for n in row) < 0 or total > 8 * holes or (marks, phase) != ("-", "sow") or not 0 <= int(clock) <= LIMIT:
        raise ValueError("this is no position")
    return row, won, "SN".index(side), int(clock)


def legal(position):
    row, _, player, clock = position
    holes = len(row) // 2
    return [] if clock >= LIMIT else [i for i in range(player * holes, (player + 1) * holes) if row[i]]


def name(hole, holes):
    return "abcdef"[hole] if hole < holes else "ABCDEF"[hole - holes]


def play(position, move):
    row, won, player, clock = position
    row, won, holes = row[:], won[:], len(row) // 2
    choice = [i for i in legal(position) if name(i, holes) == move]
    if not choice:
        raise ValueError("%s is no legal move" % move)
    at, before = choice[0], sum(won)
    for _ in range(10000):  # laps
        hand, row[at] = row[at], 0
        while hand:
            at = (at + 1) % len(row)
            if row[at] is None:
                continue
            hand, row[at] = hand - 1, row[at] + 1
            if row[at] == 4:
                won[at // holes if hand else player] += 4
                row[at] = 0
        if row[at] <= 1:  # it was empty, or the last stone made four
            break
    return row, won, 1 - player, 0 if sum(won) > before else clock + 1


def result(position):
    row, won, _, _ = position
    if legal(position):
        return "none"
    south, north = (won[p] + sum(n or 0 for n in row[p * len(row) // 2 :][: len(row) // 2]) for p in (0, 1))
    return "draw" if south == north else "p1win" if south > north else "p2win"


def set_position(words, holes):
    moves = words[words.index("moves") + 1 :] if "moves" in words else []
    words = words[: words.index("moves")] if "moves" in words else words
    if words[:1] == ["pos"]:
        position = parse(words[1:], holes)
    elif words == ["startpos"]:
        position = start(holes)
    else:
        raise ValueError("expected startpos or pos")
    for move in moves:
        position = play(position, move)
    return position


def main():
    holes, chance = 6, random.Random(1)
    position, held = start(holes), None  # held: the bestmove of go infinite, until stop
    for line in sys.stdin.buffer:
        words = line.decode("utf-8", "replace").split()
        answer = []
        try:
            if words[:1] == ["ugi"]:
                answer = ["id name random player", "id author the authors of kiothi", "protocol 1",
                          "option name Game type combo default rio-kadalis var rio-kadalis",
                          "option name Rules type combo default standard var standard var five-holes",
                          "option name Seed type spin default 1 min 0 max 2147483647", "ugiok"]
            elif words[:1] == ["isready"]:
                answer = ["readyok"]
            elif words[:2] == ["setoption", "name"] and words[3:4] == ["value"] and len(words) == 5:
                if words[2] == "Rules":
                    holes = HOLES[words[4]]
                    position = start(holes)
                elif words[2] == "Seed":
                    chance.seed(int(words[4]))
                elif words[2:] != ["Game", "value", "rio-kadalis"]:
                    raise ValueError("no such option")
            elif words[:1] == ["uginewgame"]:
                position = start(holes)
            elif words[:1] == ["position"]:
                position = None
                position = set_position(words[1:], holes)
            elif words[:1] == ["go"]:
                moves = legal(position) if position else []
                held = "bestmove " + (name(chance.choice(moves), holes) if moves else "none")
            elif words[:1] == ["query"] and position and len(words) == 2:
                answers = {"p1turn": str(position[2] == 0).lower(), "gameover": str(not legal(position)).lower(),
                           "result": result(position)}
                answer = ["response " + answers[words[1]]]
            elif words[:1] == ["quit"]:
                return
            elif words and words != ["stop"]:
                raise ValueError("unknown command")
        except (ValueError, KeyError, IndexError) as error:
            answer = ["info string error: %s" % error]
        if held and (words[:1] in (["go"], ["stop"]) and "infinite" not in words):
            answer, held = answer + [held], None
        if answer:
            print("\n".join(answer), flush=True)


main()
