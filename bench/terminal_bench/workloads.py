"""What is sent through: files made fresh for each run, the same bytes every time."""
import os
import random


def _repeat(block, size):
    return (block * (size // len(block) + 1))[:size]


def plain_log(size):
    rng = random.Random(1)
    words = "connection accepted from upstream worker request completed status cache miss retry timeout user".split()
    lines = []
    for i in range(20000):
        text = " ".join(rng.choice(words) for _ in range(rng.randint(4, 12)))
        lines.append(f"2024-05-{i % 28 + 1:02d}T12:{i % 60:02d}:{i * 7 % 60:02d}Z host-{i % 9} app[{1000 + i}]: {text}\n")
    return _repeat("".join(lines).encode(), size)


def short_lines(size):
    return _repeat(b"y\n" * 4096, size)


def coloured(size):
    rng = random.Random(2)
    lines = []
    for i in range(20000):
        parts = [f"\x1b[{rng.choice((1, 2, 4, 0))};{rng.randint(31, 37)}m{rng.choice(('INFO', 'WARN', 'drwxr-xr-x'))}\x1b[0m",
                 f"\x1b[38;5;{rng.randint(16, 255)}mfile_{i}.txt\x1b[m",
                 f"\x1b[38;2;{i % 256};{i // 256};90m{rng.randint(0, 10 ** 9)}\x1b[39m"]
        lines.append(" ".join(parts) + "\n")
    return _repeat("".join(lines).encode(), size)


def cjk(size):
    rng = random.Random(3)
    lines = ["".join(chr(rng.randint(0x4E00, 0x9FA5)) for _ in range(rng.randint(10, 39))) + "。ok\n" for _ in range(8000)]
    block = "".join(lines).encode()
    return (block * (size // len(block) + 1))[: size // len(block) * len(block) or len(block)]


def redraw(size):
    rng = random.Random(4)
    frames = []
    for frame in range(300):
        rows = [f"\x1b[{row};1H\x1b[{30 + row % 8}m{frame:5d} {row:3d} " + "".join(rng.choice("abcdef0123 ") for _ in range(64)) + "\x1b[K"
                for row in range(1, 25)]
        frames.append("\x1b[H" + "".join(rows))
    block = "".join(frames).encode()
    return block * max(1, size // len(block))


ALL = [("plain log", plain_log), ("short lines", short_lines), ("coloured", coloured), ("CJK", cjk),
       ("full-screen redraw", redraw)]


def write(folder, size):
    """Writes one file per workload; gives [(name, path, bytes)]."""
    files = []
    for name, make in ALL:
        path = os.path.join(folder, name.replace(" ", "-"))
        with open(path, "wb") as file:
            file.write(make(size))
        files.append((name, path, os.path.getsize(path)))
    return files
