"""Rows: a figure of jms beside its peer's, with the goal. Every bench gives its figures as rows, one JSON object a line."""
import json


def row(label, unit, jms, peer=None, peer_figure=None, better="lower", goal=None):
    """`goal` is (of, limit): jms/peer ("ratio"), jms-peer ("difference") or jms alone ("figure") against the limit."""
    made = {"label": label, "unit": unit, "jms": jms}
    if peer is not None:
        made.update(peer=peer, peer_figure=peer_figure)
    made["better"] = better
    if goal:
        made["goal"] = {"of": goal[0], "limit": goal[1]}
    return made


def write(rows, path):
    with open(path, "w") as file:
        file.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in rows)


def read(text):
    """The JSON objects among the lines; what else a bench prints is for people."""
    found = []
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                found.append(json.loads(line))
            except ValueError:
                pass
    return found


def ratio(one):
    """jms / peer, or None."""
    return one["jms"] / one["peer_figure"] if one.get("peer_figure") else None


def met(one):
    """Whether the goal is met; None without one."""
    goal = one.get("goal")
    if not goal:
        return None
    value = {"ratio": ratio(one), "figure": one["jms"],
             "difference": one["jms"] - one["peer_figure"] if "peer_figure" in one else None}[goal["of"]]
    if value is None:
        return None
    return value <= goal["limit"] if one["better"] == "lower" else value >= goal["limit"]


def goal_text(one):
    goal = one.get("goal")
    if not goal:
        return ""
    sign = "≤" if one["better"] == "lower" else "≥"
    limit = f"{goal['limit']:g}"
    if goal["of"] == "ratio":
        return f"{sign} {limit} ×"
    return f"{sign} {'+' if goal['of'] == 'difference' else ''}{limit} {one['unit']}"


def advantage(value, better):
    """How many times better: a ratio turned so that more is better, whichever way the figures go."""
    return value if better == "higher" else 1 / value if value else 1.0


def number(value):
    if value == 0:
        return "0"
    digits = 3 if abs(value) < 1 else 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:,.{digits}f}"
