"""Skins that schemathesis uploads, and the signatures of the pictures that it receives."""

from pathlib import Path

import schemathesis
from hypothesis import strategies as st

SKINS = Path(__file__).parents[3] / "fixtures" / "skins"
SIGNATURE = b"\x89PNG\r\n\x1a\n"

schemathesis.openapi.media_type(
    "image/png",
    st.sampled_from([path.read_bytes() for path in sorted(SKINS.glob("*.png"))]),
)


@schemathesis.deserializer("image/png")
def picture(context, response):
    assert response.content.startswith(SIGNATURE), "the body is no PNG"
    return response.content.decode("latin-1")
