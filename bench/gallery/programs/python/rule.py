"""What a server is asked to keep."""

from typing import NamedTuple


class Rule(NamedTuple):
    limit: int
    seconds: int
    setting: str
    redis_url: str
