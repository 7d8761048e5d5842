"""`make bench`: one table, a few minutes. Compare only figures of one run on one machine."""

from tools.bench import memory, orders, rest, screen
from tools.bench.servers import running_store
from tools.bench.table import Row, print_table


def main() -> None:
    with running_store() as store:
        rows: list[Row] = [
            *rest.measure(),
            *screen.measure(store),
            memory.measure(store),
            orders.measure(store),
        ]
    print_table(rows)


if __name__ == "__main__":
    main()
