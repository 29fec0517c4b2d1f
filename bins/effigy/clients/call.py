"""Calls the demo with the client for Python."""

import sys
from io import BytesIO
from pathlib import Path

from effigy_client import Client
from effigy_client.api.pictures_and_players import (
    v1_group_json,
    v1_picture,
    v1_picture_moving,
    v1_profile,
    v1_profiles,
)
from effigy_client.api.skin_files_textures_turning_figures import v1_preview
from effigy_client.models import Error, Light, Model, MovingFormat, MovingView, Pose, Switch, View
from effigy_client.types import File

SKIN = Path(__file__).parents[3] / "fixtures" / "skins" / "fox.png"
SIGNATURE = b"\x89PNG\r\n\x1a\n"

client = Client(base_url=sys.argv[1])


def assert_picture(response):
    assert response.status_code == 200, response.content
    assert response.parsed.payload.read().startswith(SIGNATURE), "not a PNG"


assert_picture(v1_picture.sync_detailed(View.FACE, "Gwendolin", client=client))
figure = v1_picture.sync_detailed(
    View.FIGURE,
    "Gwendolin",
    client=client,
    size=64,
    yaw=-30.5,
    pose=Pose.WALK,
    right_arm="-90,0,0",
    light=Light.GAME,
    cape=40,
    overlay=Switch.FALSE,
    background="202225",
)
assert_picture(figure)
moving = v1_picture_moving.sync_detailed(
    MovingView.CUBE, "Gwendolin", MovingFormat.APNG, client=client, size=16, turn=Switch.TRUE
)
assert_picture(moving)
with SKIN.open("rb") as skin:
    body = File(BytesIO(skin.read()))
assert_picture(v1_preview.sync_detailed(View.BUST, client=client, body=body, model=Model.SLIM))

profile = v1_profile.sync("Gwendolin", client=client)
assert profile.name == "Gwendolin", profile
profiles = v1_profiles.sync(client=client, players=["Gwendolin", "Reynard"])
assert [profile.name for profile in profiles] == ["Gwendolin", "Reynard"], profiles
places = v1_group_json.sync(client=client, players=["Gwendolin", "Reynard"], names=Switch.TRUE)
assert [place.player for place in places.players] == ["Gwendolin", "Reynard"], places

refused = v1_picture.sync(View.BUST, "Gwendolin", client=client, yaw=1)
assert isinstance(refused, Error), refused
assert refused.error == "Yaw applies only to figure, portrait and cube", refused
assert refused.code == "invalid_request", refused
missing = v1_profile.sync("Nobody", client=client)
assert isinstance(missing, Error), missing
assert missing.code == "player_not_found", missing
print("the client for Python works")
