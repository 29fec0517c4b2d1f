//! The operations, in the order in which they are shown.

use super::{
    bodies::Reply,
    families::FAMILIES,
    parameters::{
        CRAFATAR_UUID, DIRECTION, HAT, INPUT, MC_HEADS_FACING, MC_HEADS_NOHELM, MC_HEADS_SIZE,
        MINOTAR_WIDTH, MODEL, Parameter, SIZE, TEXTURE_HASH, VIEW_FLAT, VIEW_ISOMETRIC, WISH_VIEW,
    },
    v1::V1,
};

/// Something to ask for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operation {
    /// Under which heading it is shown.
    pub(super) tag: &'static str,
    /// Whether it takes a skin file, by POST; else it is a GET.
    pub(super) takes_skin: bool,
    /// The longest form of the path.
    pub(super) path: &'static str,
    /// So many segments at its end may be left out.
    pub(super) optional: usize,
    /// What it is, in a few words.
    pub(super) summary: &'static str,
    /// What else there is to say.
    pub(super) description: &'static str,
    /// What may follow the path after a question mark.
    pub(super) query: &'static [Parameter],
    /// What it can be answered with.
    pub(super) replies: &'static [Reply],
}

const PICTURES: &str = "Pictures";
const PREVIEWS: &str = "Previews";
const DATA: &str = "Data";

/// A GET without a query.
pub(super) const fn get(tag: &'static str, path: &'static str, summary: &'static str) -> Operation {
    Operation {
        tag,
        takes_skin: false,
        path,
        optional: 0,
        summary,
        description: "",
        query: &[],
        replies: &[],
    }
}

impl Operation {
    /// The parameters of the path, in its order.
    pub(super) fn path_parameters(path: &str) -> Vec<Parameter> {
        const KNOWN: [Parameter; 13] = [
            WISH_VIEW,
            TEXTURE_HASH,
            INPUT,
            SIZE,
            HAT,
            DIRECTION,
            VIEW_FLAT,
            VIEW_ISOMETRIC,
            CRAFATAR_UUID,
            MINOTAR_WIDTH,
            MC_HEADS_SIZE,
            MC_HEADS_NOHELM,
            MC_HEADS_FACING,
        ];
        let named = |segment: &str| {
            let name = segment.strip_prefix('{')?.strip_suffix('}')?;
            KNOWN.into_iter().find(|known| known.name == name)
        };
        path.split('/').filter_map(named).collect()
    }

    /// Every form of the path, the shortest first.
    pub(super) fn paths(&self) -> Vec<&'static str> {
        let mut paths = vec![self.path];
        for _ in 0..self.optional {
            let shorter = paths.last().and_then(|path| path.rsplit_once('/'));
            paths.extend(shorter.map(|(path, _)| path));
        }
        paths.reverse();
        paths
    }
}

/// All of them.
pub(super) fn operations() -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.iter().chain(&V1).chain(&FAMILIES)
}

/// Those of our own.
const OPERATIONS: [Operation; 15] = [
    Operation {
        optional: 2,
        description: "`size` x `size` pixels, with hard edges.",
        replies: &[
            Reply::Picture,
            Reply::NotFound,
            Reply::Failed("Failed to render head"),
        ],
        ..get(PICTURES, "/head/{input}/{size}/{option}", "The face")
    },
    Operation {
        optional: 2,
        description: "`size` pixels wide and twice as high, with hard edges.",
        replies: &[
            Reply::Picture,
            Reply::NotFound,
            Reply::Failed("Failed to render player"),
        ],
        ..get(PICTURES, "/player/{input}/{size}/{option}", "The flat body")
    },
    Operation {
        optional: 1,
        description: "`size` pixels wide and 2.04 times as high, always with the overlay.",
        replies: &[
            Reply::Picture,
            Reply::BadDirection,
            Reply::NotFound,
            Reply::Failed("Failed to render avatar"),
        ],
        ..get(
            PICTURES,
            "/avatar/{input}/{direction}/{size}",
            "The isometric body",
        )
    },
    Operation {
        optional: 1,
        description: "`size` x `size` pixels (64 by default), always with the hat.",
        replies: &[
            Reply::Picture,
            Reply::BadDirection,
            Reply::NotFound,
            Reply::Failed("Failed to render iOS head"),
        ],
        ..get(
            PICTURES,
            "/ioshead/{input}/{direction}/{size}",
            "The isometric head",
        )
    },
    Operation {
        optional: 1,
        description: "The same picture as `/avatar`, 64 pixels wide by default.",
        replies: &[
            Reply::Picture,
            Reply::BadDirection,
            Reply::NotFound,
            Reply::Failed("Failed to render iOS body"),
        ],
        ..get(
            PICTURES,
            "/iosbody/{input}/{direction}/{size}",
            "The isometric body once more",
        )
    },
    Operation {
        description: "The file as the player uploaded it.",
        replies: &[
            Reply::Picture,
            Reply::NotFound,
            Reply::Failed("Failed to get skin"),
        ],
        ..get(PICTURES, "/skin/{input}", "The skin")
    },
    Operation {
        description: "The skin as an attachment `<input>_skin.png`.",
        replies: &[
            Reply::Picture,
            Reply::NotFound,
            Reply::Failed("Failed to download skin"),
        ],
        ..get(PICTURES, "/download/{input}", "The skin, to be saved")
    },
    Operation {
        takes_skin: true,
        optional: 2,
        description: "As `/head` and `/player`, of the skin file that the request brings. Nothing is kept.",
        query: &[MODEL],
        replies: &[Reply::Preview, Reply::Refused],
        ..get(
            PREVIEWS,
            "/preview/{flat}/{size}/{option}",
            "A flat picture of a skin file",
        )
    },
    Operation {
        takes_skin: true,
        optional: 1,
        description: "As `/avatar`, `/ioshead` and `/iosbody`, of the skin file that the request brings. \
            Nothing is kept.",
        query: &[MODEL],
        replies: &[Reply::Preview, Reply::Refused],
        ..get(
            PREVIEWS,
            "/preview/{isometric}/{direction}/{size}",
            "An isometric picture of a skin file",
        )
    },
    Operation {
        description: "Any of these names can be shown like a player.",
        replies: &[Reply::Json("Presets")],
        ..get(DATA, "/minecraft/mhf", "The preset heads")
    },
    Operation {
        description: "Pictures that were drawn; answers from the cache do not count.",
        replies: &[
            Reply::Json("Count"),
            Reply::NoDatabase("Failed to get stats"),
        ],
        ..get(
            DATA,
            "/allstats",
            "How many pictures of Java players were drawn",
        )
    },
    Operation {
        description: "Pictures that were drawn; answers from the cache do not count.",
        replies: &[
            Reply::Json("Count"),
            Reply::NoDatabase("Failed to get bedrock stats"),
        ],
        ..get(
            DATA,
            "/allstatsbedrock",
            "How many pictures of Bedrock players were drawn",
        )
    },
    Operation {
        description: "The edition with the most comes first.",
        replies: &[
            Reply::Json("Counts"),
            Reply::NoDatabase("Failed to get sorted stats"),
        ],
        ..get(DATA, "/allstatsSorted", "Both counts")
    },
    Operation {
        description: "Looks up one player at the Java identity service and asks the database; what \
            comes out is told with the checks of the last five minutes.",
        replies: &[Reply::Json("Healthy"), Reply::Unhealthy],
        ..get(DATA, "/health", "How the service is")
    },
    Operation {
        description: "Counters and gauges for Prometheus.",
        replies: &[Reply::Figures],
        ..get(DATA, "/metrics", "The figures of this process")
    },
];
