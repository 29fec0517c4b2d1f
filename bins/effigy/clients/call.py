"""Calls the demo and a server with low limits, with the client for Python."""

import sys
from io import BytesIO
from pathlib import Path

from effigy_client import Client
from effigy_client.api.pictures_and_players import (
    v1_group,
    v1_group_json,
    v1_picture,
    v1_picture_moving,
    v1_profile,
    v1_profiles,
    v1_sheet,
    v1_skin,
)
from effigy_client.api.skin_files_textures_turning_figures import v1_preview
from effigy_client.models import (
    Error,
    ErrorCode,
    Light,
    Model,
    MovingFormat,
    MovingView,
    NoProfile,
    Pose,
    Switch,
    View,
)
from effigy_client.types import File

SKIN = Path(__file__).parents[3] / "fixtures" / "skins" / "fox.png"
SIGNATURE = b"\x89PNG\r\n\x1a\n"
PLAYERS = ["Gwendolin", "Reynard"]


def assert_picture(response):
    assert response.status_code == 200, response.content
    assert response.parsed.payload.read().startswith(SIGNATURE), "not a PNG"


def assert_error(response, status, code):
    assert response.status_code == status, response
    assert isinstance(response.parsed, Error), response
    assert response.parsed.code == code, response


def draw_pictures(client):
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
        MovingView.CUBE,
        "Gwendolin",
        MovingFormat.APNG,
        client=client,
        size=16,
        turn=Switch.TRUE,
    )
    assert_picture(moving)
    body = File(BytesIO(SKIN.read_bytes()))
    preview = v1_preview.sync_detailed(View.BUST, client=client, body=body, model=Model.SLIM)
    assert_picture(preview)
    assert_picture(v1_skin.sync_detailed("Gwendolin", client=client))


def read_profiles(client):
    profile = v1_profile.sync("Gwendolin", client=client)
    assert profile.name == "Gwendolin", profile
    profiles = v1_profiles.sync(client=client, players=PLAYERS)
    assert [profile.name for profile in profiles] == PLAYERS, profiles


def read_lists(client):
    assert_picture(v1_group.sync_detailed(client=client, players=PLAYERS))
    assert_picture(v1_sheet.sync_detailed(client=client, players=PLAYERS, columns=1))
    places = v1_group_json.sync(client=client, players=PLAYERS, names=Switch.TRUE)
    assert [place.player for place in places.players] == PLAYERS, places
    # One missing player spoils no list.
    found, missing = v1_profiles.sync(client=client, players=["Gwendolin", "Nobody"])
    assert found.name == "Gwendolin", found
    assert isinstance(missing, NoProfile), missing
    assert (missing.player, missing.status) == ("Nobody", 404), missing
    assert missing.code == ErrorCode.PLAYER_NOT_FOUND, missing


def read_errors(client):
    refused = v1_picture.sync_detailed(View.BUST, "Gwendolin", client=client, yaw=1)
    assert_error(refused, 400, ErrorCode.INVALID_REQUEST)
    message = "Yaw applies only to figure, portrait and cube"
    assert refused.parsed.error == message, refused
    broken = v1_preview.sync_detailed(View.BUST, client=client, body=File(BytesIO(b"no skin")))
    assert_error(broken, 400, ErrorCode.INVALID_SKIN)
    missing = v1_picture.sync_detailed(View.FACE, "Nobody", client=client)
    assert_error(missing, 404, ErrorCode.PLAYER_NOT_FOUND)
    assert_error(v1_profile.sync_detailed("Nobody", client=client), 404, ErrorCode.PLAYER_NOT_FOUND)


def reach_a_limit(client):
    """Draws until the server refuses, which it does after the first large picture."""
    for size in range(901, 904):
        response = v1_picture.sync_detailed(View.FIGURE, "knight", client=client, size=size)
        if response.status_code != 200:
            break
    assert_error(response, 429, ErrorCode.RATE_LIMITED)
    assert int(response.headers["Retry-After"]) > 0, response.headers


demo = Client(base_url=sys.argv[1])
draw_pictures(demo)
read_profiles(demo)
read_lists(demo)
read_errors(demo)
reach_a_limit(Client(base_url=sys.argv[2]))
print("the client for Python works")
