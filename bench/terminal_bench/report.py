"""The table: figures side by side, the goal and whether it is met."""


class Report:
    def __init__(self, names):
        self.names = names
        self.figures = {}
        self.notes = []
        self.short = 0
        self.section = ""

    def note(self, text):
        if text not in self.notes:
            self.notes.append(text)

    def heading(self, title, extra):
        self.section = title
        self.figures[title] = {}
        columns = "".join(f"{name:>16}" for name in self.names) + "".join(f"{name:>12}" for name in extra)
        print(f"\n{title}\n{'':24}{columns}", flush=True)

    def _row(self, label, values, extra, goal, met, worst=None):
        self.figures[self.section][label] = {"values": values, "extra": extra, "goal": goal, "met": met,
                                             "max": worst or {}}
        cells = "".join(f"{self._cell(values.get(name), (worst or {}).get(name)):>16}" for name in self.names)
        cells += "".join(f"{self._cell(value):>12}" for value in extra.values())
        verdict = "" if met is None else ("ok" if met else "SHORT")
        self.short += met is False
        print(f"{label:24}{cells}   {goal:38}{verdict}".rstrip(), flush=True)

    @staticmethod
    def _number(value):
        return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"

    def _cell(self, value, worst=None):
        if value is None:
            return "-"
        return self._number(value) + (f" ({self._number(worst)})" if worst is not None else "")

    def plain_row(self, label, values):
        ratio = {}
        self._row(label, values, ratio, "", None)

    def limit_row(self, label, values, limit, unit, worst=None):
        """A goal of at most `limit` for jms; the maximum counts when there is one."""
        decisive = (worst or values).get("jms")
        self._row(label, values, {}, f"goal ≤ {limit} {unit}", None if decisive is None else decisive <= limit, worst)

    def ratio_row(self, label, values, other, least=None, most=None):
        """A goal for the ratio of jms to `other`."""
        both = values.get("jms") is not None and values.get(other)
        ratio = values["jms"] / values[other] if both else None
        goal = f"goal ≥ {least:g} ×" if least is not None else f"goal ≤ {most:g} ×" if most is not None else ""
        met = None if ratio is None or not goal else ratio >= least if least is not None else ratio <= most
        self._row(label, values, {f"jms/{other}": ratio}, goal, met)

    def throughput_row(self, label, rates, goals):
        ratios = {}
        for other in ("direct", "tmux"):
            both = "jms" in rates and other in rates
            ratios[f"jms/{other}"] = rates["jms"] / rates[other] if both else None
        known = [(name, least) for name, least in goals if ratios[name] is not None]
        met = all(ratios[name] >= least for name, least in known) if known else None
        goal = "goal " + ", ".join(f"{name} ≥ {least:g}" for name, least in goals)
        self._row(label, rates, ratios, goal, met)

    def echo_rows(self, p50, p99):
        added = {name: p50[name] - p50["direct"] for name in p50}
        jms, tmux = added.get("jms"), added.get("tmux")
        met = None if jms is None else jms <= 100 and (tmux is None or jms < tmux)
        self._row("p50", p50, {"added": jms, "tmux adds": tmux}, "goal added ≤ 100 µs and < tmux's", met)
        self._row("p99", p99, {}, "", None)

    def finish(self):
        for text in self.notes:
            print(f"note: {text}")
        print(f"\n{self.short} goal(s) short." if self.short else "\nEvery goal measured is met.")
        return 1 if self.short else 0
