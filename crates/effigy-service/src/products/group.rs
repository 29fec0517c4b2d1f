//! The picture of several players.

use effigy_upstream::TextureHash;

use super::{
    failure_log::log_failure,
    group_member::{DressedMember, Member, Shown, Subject},
    in_order::run_in_order,
};
use crate::{
    GroupRequest, ServedFile, ShelfLife, SubstitutePlayer,
    error::{Failure, Result},
    flow::{Flow, Made},
    outfit::{Outfit, SubstituteOutfit},
    request::key::{GroupKey, Key, MemberKey},
};

impl Flow {
    /// Returns the picture of several players, or the document of their positions.
    pub(super) async fn group(
        &self,
        group: &GroupRequest,
        version: Option<u64>,
    ) -> Result<ServedFile> {
        let mut members = self.members(group, &group.players, version).await?;
        let lacks_player = members.iter().any(|member| member.outfit().is_none());
        if lacks_player && let Some(substitute) = &group.substitute {
            self.fill_gaps(group, substitute, &mut members).await?;
        }
        if let Some(error) = only_errors(&members) {
            return Err(error);
        }
        let shelf_lives = members.iter().map(Member::shelf_life);
        let strictest = shelf_lives.fold(ShelfLife::Day, ShelfLife::stricter);
        let is_stale = members.iter().any(Member::is_stale);
        let substitution = members.iter().filter_map(Member::substitution).max();
        let served = self.group_file(group, members).await?;
        let served = served.at_most(strictest).marked_stale(is_stale);
        Ok(served.with_substitution(substitution))
    }

    /// Looks players up, a few at once.
    async fn members(
        &self,
        group: &GroupRequest,
        inputs: &[String],
        version: Option<u64>,
    ) -> Result<Vec<Member>> {
        let look_ups = inputs.iter().map(|input| async {
            let found = Box::pin(self.find_member(group, input, version)).await;
            if let Err(error) = &found {
                log_failure(group.params().endpoint, input, error);
            }
            found
        });
        let found = run_in_order(look_ups.collect()).await?;
        let mut members = Vec::new();
        for (outcome, input) in found.into_iter().zip(inputs) {
            members.push(match outcome {
                Ok(member) => member,
                Err(error) => Member {
                    input: input.clone(),
                    shown: Shown::Missing(error),
                },
            });
        }
        Ok(members)
    }

    /// Looks up the player or the texture that an input names.
    async fn find_member(
        &self,
        group: &GroupRequest,
        input: &str,
        version: Option<u64>,
    ) -> Result<Member> {
        if let Some(hash) = TextureHash::parse(input) {
            let outfit = self.drawable_outfit_of_hash(&hash, None).await?;
            return Ok(Member {
                input: input.to_owned(),
                shown: Shown::Found {
                    subject: Subject::Texture,
                    outfit,
                },
            });
        }
        let found = self.resolved(input, version).await?;
        let params = group.params();
        let outfit = self.outfit(&found.player, &found.current, &params).await?;
        Ok(Member {
            input: input.to_owned(),
            shown: Shown::Found {
                subject: Subject::Player(found.player),
                outfit,
            },
        })
    }

    /// Shows the substitute instead of players who are not available.
    async fn fill_gaps(
        &self,
        group: &GroupRequest,
        substitute: &SubstitutePlayer,
        members: &mut [Member],
    ) -> Result<()> {
        let SubstitutePlayer::Named(name) = substitute else {
            let endpoint = group.params().endpoint;
            return self.show_default_skins(endpoint, members).await;
        };
        let input = name.clone().into_owned();
        let mut found = self.members(group, &[input], None).await?;
        let shown = match found.remove(0).shown {
            Shown::Found { outfit, .. } => SubstituteOutfit::by_default(outfit),
            // `members` itself shows no substitutes.
            Shown::Substitute(shown) => shown,
            Shown::Missing(error) => match SubstituteOutfit::built_in(substitute, &error) {
                Some(built_in) => built_in,
                None => return Ok(()),
            },
        };
        for member in members {
            member.show_instead(&shown);
        }
        Ok(())
    }

    /// Returns the file of a group: kept, or drawn once for all who ask.
    async fn group_file(&self, group: &GroupRequest, members: Vec<Member>) -> Result<ServedFile> {
        let is_kept = !group.positions_only && members.iter().all(Member::is_complete);
        if !is_kept {
            let made = self.make_group(group.clone(), members).await?;
            return Ok(made.into_file());
        }
        let key = Key::Group(group_key(group, &members));
        let own_group = group.clone();
        let make = move |flow: Self| async move { flow.make_group(own_group, members).await };
        self.kept_or_made(&key, make).await
    }

    /// Makes the file of a group.
    async fn make_group(&self, group: GroupRequest, members: Vec<Member>) -> Result<Made> {
        self.charge_drawing(group.drawing_cost())?;
        if !group.positions_only {
            for edition in members.iter().filter_map(Member::edition) {
                self.state.files.count_render(edition);
            }
        }
        let dressed = self.dress(&members).await?;
        let is_complete = dressed.iter().all(DressedMember::is_complete);
        let served = self.draw_group(group, dressed).await?;
        Ok(Made::new(served, is_complete))
    }

    /// Returns the files of all members.
    async fn dress(&self, members: &[Member]) -> Result<Vec<DressedMember>> {
        let mut dressed = Vec::new();
        for member in members {
            let appearance = match member.outfit() {
                Some(outfit) => Some(self.appearance(outfit).await?),
                None => None,
            };
            dressed.push(DressedMember {
                label: member.label(),
                is_found: member.is_found(),
                appearance,
            });
        }
        Ok(dressed)
    }
}

/// Returns the first error if no member is shown.
fn only_errors(members: &[Member]) -> Option<Failure> {
    if members.iter().any(|member| member.outfit().is_some()) {
        return None;
    }
    match &members.first()?.shown {
        Shown::Missing(error) => Some(error.clone()),
        Shown::Found { .. } | Shown::Substitute(_) => None,
    }
}

fn group_key(group: &GroupRequest, members: &[Member]) -> GroupKey {
    let mut keys = Vec::new();
    for member in members {
        let outfit = member.outfit().map(Outfit::key);
        // A gap has no label, so its name does not change the picture.
        let label = if group.spec.names && outfit.is_some() {
            Some(member.label())
        } else {
            None
        };
        keys.push(MemberKey { outfit, label });
    }
    GroupKey {
        spec: group.spec,
        columns: group.columns,
        members: keys,
    }
}
