//! The routes of other services, under a prefix.

use crate::routes::{
    docs::Reply,
    families::{crafatar, mc_heads, minotar},
    parameters::{
        CRAFATAR_DEFAULT, CRAFATAR_OVERLAY, CRAFATAR_RENDER, CRAFATAR_SCALE, CRAFATAR_SIZE,
        CRAFATAR_UUID, INPUT, MC_HEADS_FACING, MC_HEADS_NOHELM, MC_HEADS_SIZE, MC_HEADS_VIEW,
        MINOTAR_ARMOR, MINOTAR_VIEW, MINOTAR_WIDTH,
    },
    route::{Errors, Route},
};

pub(super) fn crafatar() -> Vec<Route> {
    vec![
        Route::get("/crafatar/avatars/{uuid}", crafatar::avatar)
            .errors(Errors::ByStatus)
            .summary("Crafatar: face")
            .parameters(&[
                CRAFATAR_UUID,
                CRAFATAR_SIZE,
                CRAFATAR_OVERLAY,
                CRAFATAR_DEFAULT,
            ])
            .cached(Reply::picture())
            .reply(Reply::unprocessable(&["Invalid UUID", "Invalid Size"])),
        Route::get("/crafatar/renders/{render}/{uuid}", crafatar::render)
            .errors(Errors::ByStatus)
            .summary("Crafatar: isometric head or body")
            .parameters(&[
                CRAFATAR_RENDER,
                CRAFATAR_UUID,
                CRAFATAR_SCALE,
                CRAFATAR_OVERLAY,
                CRAFATAR_DEFAULT,
            ])
            .cached(Reply::picture())
            .reply(Reply::not_found())
            .reply(Reply::unprocessable(&["Invalid UUID", "Invalid Scale"])),
        Route::get("/crafatar/skins/{uuid}", crafatar::skin)
            .errors(Errors::ByStatus)
            .summary("Crafatar: skin file")
            .parameters(&[CRAFATAR_UUID, CRAFATAR_DEFAULT])
            .cached(Reply::picture())
            .reply(Reply::unprocessable(&["Invalid UUID"])),
        Route::get("/crafatar/capes/{uuid}", crafatar::cape)
            .errors(Errors::ByStatus)
            .summary("Crafatar: cape")
            .description("The status is 404 if the player has no cape.")
            .parameters(&[CRAFATAR_UUID])
            .cached(Reply::picture())
            .reply(Reply::not_found())
            .reply(Reply::unprocessable(&["Invalid UUID"])),
    ]
}

pub(super) fn minotar() -> Vec<Route> {
    vec![
        Route::get("/minotar/armor/{view}/{input}/{width?}", minotar::armor)
            .errors(Errors::ByStatus)
            .summary("Minotar: flat pictures with the overlay")
            .description("A player who does not exist is shown as Steve.")
            .parameters(&[MINOTAR_ARMOR, INPUT, MINOTAR_WIDTH])
            .cached(Reply::picture())
            .reply(Reply::redirect())
            .reply(Reply::not_found()),
        Route::get("/minotar/{view}/{input}/{width?}", minotar::picture)
            .errors(Errors::ByStatus)
            .summary("Minotar: pictures and skin files")
            .description("A player who does not exist is shown as Steve.")
            .parameters(&[MINOTAR_VIEW, INPUT, MINOTAR_WIDTH])
            .cached(Reply::picture_or_svg())
            .reply(Reply::redirect())
            .reply(Reply::not_found()),
    ]
}

pub(super) fn mc_heads() -> Vec<Route> {
    vec![
        Route::get("/mc-heads/{view}/{input}/{pixels?}/{facing?}/{nohelm?}", mc_heads::picture)
            .errors(Errors::ByStatus)
            .summary("MCHeads: pictures and skin files")
            .description("A player who does not exist is shown as Steve. A texture's hash may take the place of the \
                player. The parameters after it may have any order.")
            .parameters(&[MC_HEADS_VIEW, INPUT, MC_HEADS_SIZE, MC_HEADS_FACING, MC_HEADS_NOHELM])
            .cached(Reply::picture())
            .reply(Reply::not_found()),
    ]
}
