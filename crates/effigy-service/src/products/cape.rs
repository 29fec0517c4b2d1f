//! The cape of a player.

use effigy_render::{ImageFormat, PictureSpec, View};

use crate::{
    CapeSize, PictureParams, ServedFile, ServiceError,
    error::Result,
    flow::{Flow, Made},
    outfit::TextureRef,
    players::account_key::AccountKey,
    request::key::{CapeKey, Key},
    served_file::PNG,
};

impl Flow {
    /// Returns the cape of the player that an input names: the file, or a picture of this size.
    pub(super) async fn cape(
        &self,
        input: &str,
        size: Option<CapeSize>,
        version: Option<u64>,
    ) -> Result<ServedFile> {
        let found = self.resolved(input, version).await?;
        let record = &found.current.record;
        let url = record.profile.cape.as_ref().ok_or(ServiceError::NoCape)?;
        let account = AccountKey::of(&record.profile, &found.player.id);
        let cape = self.cape_of(record, url, &account).await?;
        let cape = cape.ok_or(ServiceError::NoCape)?;
        let served = self.cape_file(&cape, size).await?;
        Ok(found.current.shown_by(served))
    }

    /// Returns the file of a cape, or a picture of this size.
    async fn cape_file(&self, cape: &TextureRef, size: Option<CapeSize>) -> Result<ServedFile> {
        let (id, file) = self.file_of(cape).await?;
        let Some(size) = size else {
            return Ok(ServedFile::made(file, PNG, self.state.now()));
        };
        let key = Key::Cape(CapeKey { cape: id, size });
        let draw = move |flow: Self| async move {
            let spec = PictureSpec::new(View::Body, size.width());
            let params = PictureParams::beyond_specification(spec, ImageFormat::Png);
            flow.charge_drawing(params.drawing_cost())?;
            let picture = flow.draw_cape(file, size).await?;
            let served = ServedFile::made(picture, PNG, flow.state.now());
            Ok(Made::Complete(served))
        };
        self.kept_or_made(&key, draw).await
    }
}
