"""Shows Hemlock's mutexes and condition variables in gdb as what they are: free or held, by whom, and who waits.

    (gdb) source /usr/share/hemlock/hemlock_gdb.py
    (gdb) print lock
    $1 = hemlock::mutex, held by thread 4711 (LWP), 2 waiting

The holder is known in programs built with HEMLOCK_DEBUG.
"""

import gdb
import gdb.printing

LOCKED, BUSY, CALL, TICKS = 1, 2, 4, 248
STATES = {
    0: "waiting",
    1: "asleep",
    2: "looking",
    4: "called",
    8: "being granted the lock",
    16: "granted the lock",
    32: "lingering",
    64: "leaving",
    128: "released",
    256: "notified",
    257: "notified, asleep",
}


def number(value):
    """An atomic's number, whatever the standard library calls its innards."""
    kind = value.type.strip_typedefs()
    while kind.code == gdb.TYPE_CODE_STRUCT:
        value = value[next(field for field in kind.fields() if hasattr(field, "bitpos"))]  # the others are static
        kind = value.type.strip_typedefs()
    return int(value)


def word_of(value):
    return number(value["word_"])


def waiters(word, flags, world):
    """The states in the ring, first to last. Stops at what it has seen: a ring caught in a change may be torn."""
    first = word & ~flags
    record = gdb.lookup_type("hemlock::waiter<%s >" % world).pointer()
    seen, address, states = set(), first, []
    while address and address not in seen:
        seen.add(address)
        entry = gdb.Value(address).cast(record).dereference()
        states.append(STATES.get(number(entry["state"]), "?"))
        address = int(entry["next"])
    return states


def holder(value):
    """The holder's thread id, by the debug build's table; None if it is not known."""
    try:
        table = gdb.parse_and_eval("*hemlock::checks::ownership::table()::kept")
    except gdb.error:
        try:
            table = gdb.parse_and_eval("hemlock::checks::ownership::table()::kept")
        except gdb.error:
            return None
    printer = gdb.default_visualizer(table["holders"])
    if printer is None:
        return None
    children = [child for _, child in printer.children()]
    for key, entry in zip(children[0::2], children[1::2]):
        if int(key) == int(value.address):
            return int(entry["thread"])
    return None


class Printer:
    def __init__(self, name, flags, value):
        self.name, self.flags, self.value = name, flags, value
        self.world = str(value.type.strip_typedefs().template_argument(0))

    def to_string(self):
        word = word_of(self.value)
        parts = [self.name]
        if self.flags & LOCKED:
            if word & LOCKED:
                thread = holder(self.value)
                parts.append("held" if thread is None else "held by thread %d (LWP)" % thread)
            else:
                parts.append("free")
        if word & ~self.flags:
            try:
                parts.append("%d waiting" % len(waiters(word, self.flags, self.world)))
            except gdb.error:
                parts.append("waiters")
        if word & BUSY:
            parts.append("queue in change")
        return ", ".join(parts)

    def children(self):
        word = word_of(self.value)
        try:
            states = waiters(word, self.flags, self.world) if word & ~self.flags else []
        except gdb.error:
            states = []
        for place, state in enumerate(states):
            yield "[%d]" % place, state


def printers():
    collection = gdb.printing.RegexpCollectionPrettyPrinter("hemlock")
    for name, template, flags in (
        ("hemlock::mutex", "basic_mutex", LOCKED | BUSY | CALL | TICKS),
        ("hemlock::fifo_mutex", "basic_fifo_mutex", LOCKED | BUSY),
        ("hemlock::condition", "basic_condition", BUSY),
    ):
        collection.add_printer(
            name,
            "^hemlock::%s<.*>$" % template,
            lambda value, name=name, flags=flags: Printer(name, flags, value),
        )
    return collection


gdb.printing.register_pretty_printer(gdb.current_objfile(), printers(), replace=True)
