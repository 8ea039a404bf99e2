"""Sends a server every request that its OpenAPI description allows, and many that it does not."""

from collections.abc import Callable
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error

from tests.server.serving import HttpClient
from tests.timeouts import timeout_s


def send_requests(address: str, examples: int) -> int:
    """Sends so many requests of each kind, and returns their number; an error of the server is raised."""
    client = HttpClient(address)
    wish = {"variant": "brandub-globe", "opponent": "same_device"}
    game = client.request("POST", "/api/games", wish)["game"]
    schema = schemathesis.openapi.from_url(f"{address}/api/openapi.json")
    count = 0
    results: Any = schema.get_all_operations()
    for result in results:
        operation = result.ok()
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            if mode is GenerationMode.NEGATIVE and not (operation.body or operation.query):
                continue
            count += _send_cases(operation.as_strategy(generation_mode=mode), client, game, examples)
    return count


def _send_cases(cases: Any, client: HttpClient, game: str, examples: int) -> int:
    """Sends all cases of an operation, half of them for an existing game, by a visitor with a seat in it."""
    sent = 0

    def send_case(case: Case[Any]) -> None:
        nonlocal sent
        sent += 1
        if case.path.endswith("/events"):
            # An endless answer cannot be waited for.
            case.query = {**(case.query or {}), "follow": "false"}
        if sent % 2 and "game" in (case.path_parameters or {}):
            case.path_parameters = {**case.path_parameters, "game": game}
        headers = {"Authorization": f"Bearer {client.token}"}
        response = case.call(base_url=client.address, headers=headers, timeout=timeout_s())
        case.validate_response(response, checks=[not_a_server_error])

    test: Callable[[], None] = settings(
        max_examples=examples,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
        derandomize=True,
    )(given(case=cases)(send_case))
    test()
    return sent
