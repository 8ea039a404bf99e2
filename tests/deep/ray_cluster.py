"""A Ray cluster of two nodes on this machine, as a program: `python -m tests.deep.ray_cluster`.

Prints its address. A line `kill` on its standard input kills the second node; its end stops the cluster.
"""

import os
import sys

MEMORY = 80 * 2**20


def main() -> None:
    """Runs the cluster."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "object_store_memory": MEMORY}
    cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    try:
        second = cluster.add_node(**node)
        print(f"address {cluster.address}", flush=True)
        for line in sys.stdin:
            if line.strip() == "kill":
                cluster.remove_node(second, allow_graceful=False)
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    main()
