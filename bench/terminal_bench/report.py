"""The table: figures side by side, the goals and whether they are met. The same figures as rows go to --json."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "report"))
import rows  # noqa: E402


class Report:
    def __init__(self, names, path=None):
        self.names = names
        self.path = path  # Where the rows go; written after each line, so that a bench cut short leaves what it had.
        self.rows = []
        self.notes = []
        self.short = 0

    def note(self, text):
        if text not in self.notes:
            self.notes.append(text)

    def heading(self, title):
        print(f"\n{title}\n{'':24}" + "".join(f"{name:>16}" for name in self.names), flush=True)

    def figures(self, label, unit, values, better="lower", goals=(), worst=None):
        """One line: jms beside everyone else. `values` is {name: figure}, `worst` likewise; the worst of jms is what a
        goal for its own figure counts. `goals` holds (peer, of, limit); a peer of None means the figure itself."""
        if values.get("jms") is None:
            return
        made = self._rows_of(label, unit, values, better, goals, worst or {})
        self.rows += made
        if self.path:
            rows.write(self.rows, self.path)
        cells = "".join(f"{self._cell(values.get(name), (worst or {}).get(name)):>16}" for name in self.names)
        verdicts = [self._verdict(one) for one in made if rows.met(one) is not None]
        self.short += sum(rows.met(one) is False for one in made)
        print(f"{label:24}{cells}   {', '.join(verdicts)}".rstrip(), flush=True)

    def _rows_of(self, label, unit, values, better, goals, worst):
        made = []
        wanted = {peer: (of, limit) for peer, of, limit in goals}
        if None in wanted:
            name, figure = (f"{label}, worst", worst["jms"]) if worst else (label, values["jms"])
            made.append(rows.row(name, unit, figure, better=better, goal=wanted[None]))
        for peer in self.names:
            if peer != "jms" and values.get(peer):
                made.append(rows.row(label, unit, values["jms"], peer, values[peer], better, wanted.get(peer)))
        if not made:
            made.append(rows.row(label, unit, values["jms"], better=better))
        return made

    @staticmethod
    def _verdict(one):
        against = f"{rows.number(rows.ratio(one))} × {one['peer']}, " if one["goal"]["of"] == "ratio" else ""
        return f"{against}goal {rows.goal_text(one)} {'ok' if rows.met(one) else 'SHORT'}"

    @staticmethod
    def _cell(value, worst=None):
        if value is None:
            return "-"
        return rows.number(value) + (f" ({rows.number(worst)})" if worst is not None else "")

    def finish(self):
        """Prints the notes and gives the exit status."""
        for text in self.notes:
            print(f"note: {text}")
        print(f"\n{self.short} goal(s) short." if self.short else "\nEvery goal measured is met.")
        return 1 if self.short else 0
