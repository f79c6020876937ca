"""The picture: one bar for each comparison, to the right where jms is better than its peer, on a logarithmic scale."""
import math
from xml.sax.saxutils import escape

import rows

LINE, HEAD, LETTER = 19, 30, 6.6  # Heights of a bar's line and of a heading; width of a letter at 12 px.
SCALE, REACH = 62, 4  # Pixels for a factor of two; how many factors of two fit on a side.
MET, MISSED, FREE = "#2e8b57", "#d1782f", "#8aa0b8"


def _offset(times_better):
    return max(-REACH, min(REACH, math.log2(times_better))) * SCALE


def _words(times_better):
    if 0.95 <= times_better <= 1.05:
        return "even"
    better = times_better > 1
    return f"{rows.number(times_better if better else 1 / times_better)}× {'better' if better else 'worse'}"


def _text(x, y, text, extra=""):
    return f'<text x="{x:.0f}" y="{y:.0f}"{extra}>{escape(text)}</text>'


def _bar(one, y, middle):
    times_better = rows.advantage(rows.ratio(one), one["better"])
    reach = _offset(times_better)
    met = rows.met(one)
    colour = FREE if met is None else MET if met else MISSED
    parts = [f'<text x="12" y="{y + 13}">{escape(one["label"])} <tspan fill="#666">vs {escape(one["peer"])}</tspan></text>',
             f'<rect x="{middle + min(0, reach):.0f}" y="{y + 3}" width="{max(abs(reach), 1.5):.0f}" '
             f'height="{LINE - 6}" fill="{colour}"/>']
    near, goal = reach, one.get("goal")  # The words stand beyond the bar and its goal.
    if goal and goal["of"] == "ratio":
        at = _offset(rows.advantage(goal["limit"], one["better"]))
        parts.append(f'<line x1="{middle + at:.0f}" y1="{y + 1}" x2="{middle + at:.0f}" y2="{y + LINE - 1}" stroke="#000" '
                     'stroke-width="2"/>')
        near = max(reach, at) if reach >= 0 else min(reach, at)
    side, anchor = (6, "start") if reach >= 0 else (-6, "end")
    parts.append(_text(middle + near + side, y + 13, _words(times_better), f' text-anchor="{anchor}"'))
    return parts


def _scale(middle, top, bottom):
    parts = []
    for power in range(-REACH, REACH + 1):
        x = middle + power * SCALE
        colour, name = ("#444", "even") if power == 0 else ("#ddd", f"{2 ** abs(power)}×")
        parts.append(f'<line x1="{x}" y1="{top}" x2="{x}" y2="{bottom}" stroke="{colour}"/>')
        parts.append(_text(x, top - 5, name, ' text-anchor="middle" fill="#666"'))
    return parts


def _legend(y):
    parts, x = [], 12
    for colour, words in ((MET, "goal met"), (MISSED, "goal missed"), (FREE, "no goal, for comparison")):
        parts.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{colour}"/>')
        parts.append(_text(x + 17, y, words))
        x += 40 + len(words) * LETTER
    parts.append(f'<line x1="{x + 3:.0f}" y1="{y - 12}" x2="{x + 3:.0f}" y2="{y + 4}" stroke="#000" stroke-width="2"/>')
    return parts + [_text(x + 12, y, "the goal")]


def draw(sections, path):
    """`sections` is [(title, rows)]; rows without a peer are left to the table."""
    sections = [(title, [one for one in found if rows.ratio(one)]) for title, found in sections]
    sections = [(title, found) for title, found in sections if found]
    longest = max((len(one["label"]) + len(one["peer"]) + 5 for _, found in sections for one in found), default=20)
    beside = 17 * LETTER  # Room for the words at the end of a bar.
    middle = round(12 + longest * LETTER + beside + REACH * SCALE)
    width = round(middle + REACH * SCALE + beside)
    parts, y, top = [], 100, 92
    for title, found in sections:
        parts.append(_text(12, y + 20, title, ' font-weight="bold"'))
        y += HEAD
        for one in found:
            parts += _bar(one, y, middle)
            y += LINE
    head = ['<svg xmlns="http://www.w3.org/2000/svg" ' f'width="{width}" height="{y + 16}" '
            f'viewBox="0 0 {width} {y + 16}" font-family="DejaVu Sans, Arial, sans-serif" font-size="11.5">',
            '<rect width="100%" height="100%" fill="white"/>',
            _text(12, 26, "jms beside its peers, measured in turns on one machine", ' font-size="16" font-weight="bold"'),
            _text(12, 46, "A bar to the right: jms is better than the peer by that factor. To the left: worse.")]
    with open(path, "w") as file:
        file.write("\n".join(head + _legend(68) + _scale(middle, top, y + 4) + parts + ["</svg>\n"]))
