"""Which packages ship, and under which names; everything else stands in pyproject.toml.

The folder ``fixtures`` ships as ``outboundeval_fixtures``, because PyPI has a living library ``fixtures``.
"""

from setuptools import find_namespace_packages, setup

OURS = ["harness", "metrics", "outboundeval", "spoken_language", "voice_sim"]
DATA = "outboundeval_fixtures"

setup(
    packages=[
        *find_namespace_packages(include=[pattern for name in OURS for pattern in (name, f"{name}.*")]),
        DATA,
        *(f"{DATA}.{name}" for name in find_namespace_packages("fixtures")),
    ],
    package_dir={DATA: "fixtures"},
)
