//! The flow of a picture of several players, and how several are looked up.

use effigy_player::Edition;
use effigy_upstream::TextureHash;
use futures_util::{StreamExt as _, stream};

use super::{Flow, log::log_failure};
use crate::{
    Fault, GroupRequest, Image, ShelfLife,
    error::{Failure, Result},
    outfit::{Appearance, Outfit},
    players::Player,
    request::key::{GroupKey, Key, PlaceKey},
};

/// The players of one request that are looked up at once.
const MAX_LOOK_UPS: usize = 8;

/// A player's place in a picture.
#[derive(Clone)]
pub(crate) struct Place {
    /// The player as the request names it.
    pub(crate) input: String,
    /// The player or the substitute, or why neither is shown.
    pub(crate) shown: Result<Outfit>,
    /// The player or the texture that the input names, or none if it is missing.
    pub(crate) subject: Option<Subject>,
}

/// The player or the texture that an input names.
#[derive(Clone)]
pub(crate) enum Subject {
    Player(Player),
    /// A texture by its hash, which has neither a name nor an edition.
    Texture,
}

/// A place with its files.
pub(crate) struct DressedPlace {
    pub(crate) label: String,
    pub(crate) appearance: Option<Appearance>,
}

impl Place {
    /// Returns the name that the picture shows. A substitute, and a player whose name is not known,
    /// is called as the request has it. A texture has no name.
    fn label(&self) -> String {
        let known = self
            .shown
            .as_ref()
            .ok()
            .and_then(|outfit| outfit.name.as_deref());
        let name = match &self.subject {
            Some(Subject::Player(player)) => player.name_as_written(known).unwrap_or(&self.input),
            Some(Subject::Texture) => "",
            None => &self.input,
        };
        name.to_owned()
    }

    /// Returns the edition for which the picture counts as a render.
    fn edition(&self) -> Option<Edition> {
        match &self.subject {
            Some(Subject::Player(player)) => Some(player.id.edition()),
            Some(Subject::Texture) | None => None,
        }
    }

    /// Returns the rule by which clients may cache what shows the place.
    fn shelf_life(&self) -> ShelfLife {
        match &self.shown {
            Ok(outfit) if self.subject.is_none() => outfit.shelf_life.max(ShelfLife::Short),
            Ok(outfit) => outfit.shelf_life,
            Err(error) if error.is_certain() => ShelfLife::Short,
            Err(_) => ShelfLife::Revalidate,
        }
    }

    /// Returns `true` unless what is shown may change when an outage is over.
    fn is_complete(&self) -> bool {
        match &self.shown {
            Ok(outfit) => outfit.complete,
            Err(error) => error.is_certain(),
        }
    }

    fn is_stale(&self) -> bool {
        self.shown.as_ref().is_ok_and(|outfit| outfit.stale)
    }
}

impl DressedPlace {
    /// Returns `true` unless something is missing that the key names.
    fn is_whole(&self) -> bool {
        let appearance = self.appearance.as_ref();
        appearance.is_none_or(|appearance| appearance.is_whole)
    }
}

/// Does all work, a few pieces at once, and returns the results in their order.
///
/// # Errors
/// The first refusal of the client. Nothing further begins then.
pub(super) async fn run_in_order<T>(
    work: Vec<impl Future<Output = Result<T>>>,
) -> Result<Vec<Result<T>>> {
    let mut results = Vec::new();
    let mut stream = stream::iter(work).buffered(MAX_LOOK_UPS);
    while let Some(result) = stream.next().await {
        match result {
            Err(error) if error.fault() == Fault::Limited => return Err(error),
            result => results.push(result),
        }
    }
    Ok(results)
}

impl Flow {
    /// Resolves the players, and returns their picture, or the document of their places.
    pub(super) async fn group(&self, group: &GroupRequest, version: Option<u64>) -> Result<Image> {
        let mut places = self.places(group, &group.players, version).await?;
        let lacks_player = places.iter().any(|place| place.shown.is_err());
        if lacks_player && let Some(input) = &group.substitute {
            self.fill(group, input, &mut places).await?;
        }
        if let Some(error) = only_errors(&places) {
            return Err(error);
        }
        let shelf_life = places.iter().map(Place::shelf_life).max();
        let shelf_life = shelf_life.unwrap_or(ShelfLife::Usual);
        let is_stale = places.iter().any(Place::is_stale);
        let image = self.group_picture(group, places).await?;
        Ok(image.at_most(shelf_life).marked_stale(is_stale))
    }

    /// Returns the picture of places: kept, or drawn once for all who ask.
    async fn group_picture(&self, group: &GroupRequest, places: Vec<Place>) -> Result<Image> {
        let is_kept = !group.is_places && places.iter().all(Place::is_complete);
        let key = Key::Group(group_key(group, &places));
        let own_group = group.clone();
        let draw = move |flow: Self| async move {
            flow.charge_drawing(own_group.drawing_cost())?;
            if !own_group.is_places {
                for edition in places.iter().filter_map(Place::edition) {
                    flow.state.files.count_render(edition);
                }
            }
            let dressed = flow.dress(&places).await?;
            let is_whole = dressed.iter().all(DressedPlace::is_whole);
            let missing = places.iter().map(|place| place.subject.is_none()).collect();
            let image = flow.draw_group(own_group, dressed, missing).await?;
            Ok(image.kept_if(is_whole))
        };
        if is_kept {
            self.kept_or_made(&key, draw).await
        } else {
            draw(self.clone()).await
        }
    }

    /// Looks players up, a few at once.
    async fn places(
        &self,
        group: &GroupRequest,
        inputs: &[String],
        version: Option<u64>,
    ) -> Result<Vec<Place>> {
        let params = group.params();
        let look_up = async |input: &str| -> Result<_> {
            if let Some(hash) = TextureHash::parse(input) {
                let outfit = self.drawable_outfit_of_hash(&hash, None).await?;
                return Ok((outfit, Subject::Texture));
            }
            let found = self.resolved(input, version).await?;
            let outfit = self.outfit(&found.player, &found.current, &params).await?;
            Ok((outfit, Subject::Player(found.player)))
        };
        let look_ups = inputs.iter().map(|input| async {
            let found = Box::pin(look_up(input)).await;
            if let Err(error) = &found {
                log_failure(params.endpoint, input, error);
            }
            found
        });
        let found = run_in_order(look_ups.collect()).await?;
        let places = found.into_iter().zip(inputs).map(|(found, input)| Place {
            input: input.clone(),
            subject: found.as_ref().ok().map(|(_, subject)| subject.clone()),
            shown: found.map(|(outfit, _)| outfit),
        });
        Ok(places.collect())
    }

    /// Puts the substitute in the places of players who are not available.
    async fn fill(&self, group: &GroupRequest, input: &String, places: &mut [Place]) -> Result<()> {
        let mut found = self
            .places(group, std::slice::from_ref(input), None)
            .await?;
        let substitute = match found.remove(0).shown {
            Ok(outfit) => Some(outfit),
            Err(error) => Outfit::instead_of(input, &error),
        };
        let Some(substitute) = substitute else {
            return Ok(());
        };
        for place in places {
            let Err(error) = &place.shown else {
                continue;
            };
            if error.is_outage() {
                place.shown = Ok(Outfit {
                    complete: false,
                    shelf_life: ShelfLife::Revalidate,
                    ..substitute.clone()
                });
            } else if error.fault() != Fault::Internal {
                place.shown = Ok(substitute.clone());
            }
        }
        Ok(())
    }

    /// Returns the files of all places.
    async fn dress(&self, places: &[Place]) -> Result<Vec<DressedPlace>> {
        let mut dressed = Vec::new();
        for place in places {
            let appearance = match &place.shown {
                Ok(outfit) => Some(self.appearance(outfit).await?),
                Err(_) => None,
            };
            let label = place.label();
            dressed.push(DressedPlace { label, appearance });
        }
        Ok(dressed)
    }
}

/// Returns the first error if no place shows anybody.
fn only_errors(places: &[Place]) -> Option<Failure> {
    if places.iter().any(|place| place.shown.is_ok()) {
        return None;
    }
    places.first()?.shown.as_ref().err().cloned()
}

fn group_key(group: &GroupRequest, places: &[Place]) -> GroupKey {
    let places = places.iter().map(|place| PlaceKey {
        outfit: place.shown.as_ref().ok().map(Outfit::key),
        label: group.spec.names.then(|| place.label()),
    });
    GroupKey {
        spec: group.spec,
        columns: group.columns,
        places: places.collect(),
    }
}
