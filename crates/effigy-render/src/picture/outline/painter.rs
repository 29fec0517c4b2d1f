//! Drawing with a line around the silhouette, a few rows at a time.

use std::ops::Range;

use wide::i16x8;

use super::Stroke;
use super::nearest::{FAR, NearestInRow, Site};
use crate::RenderError;
use crate::picture::PlacedPicture;
use crate::picture::composite::over;
use crate::picture::painter::Painter;
use crate::scene::figure_cache::FigureCache;
use crate::scratch::reserve;

/// Draws a picture with an outline, from its first row to its last one.
///
/// The line is opaque up to its width from the silhouette, and fades within a pixel beyond. The
/// distance to a pixel of the silhouette is the distance of the centers, less the pixel's opacity,
/// which is the share of the pixel that the silhouette covers. First the nearest pixel above or
/// below is found in each column, and then the nearest of these pixels in each row, so a line of
/// any width takes the same time. (Meijster, Roerdink and Hesselink, "A General Algorithm for
/// Computing Distance Transforms in Linear Time", 2000)
pub(crate) struct OutlinedPainter<'p> {
    stroke: Stroke,
    /// Width and height of the whole picture.
    size: [usize; 2],
    /// The top left corner of the player's picture.
    at: [usize; 2],
    /// Width and height of the player's picture.
    inner_size: [usize; 2],
    inner: Box<Painter<'p>>,
    /// `true` if the player's picture is a mirror image. It is turned back before the line is
    /// computed, so that both pictures have the same line.
    is_mirrored: bool,
    /// The player in some rows of the whole picture, without the line.
    drawn: Vec<[u8; 4]>,
    drawn_rows: Range<usize>,
    /// The rows of the player's picture before they are placed.
    inner_rows: Vec<[u8; 4]>,
    /// For each pixel, the distance down to the nearest pixel of the silhouette in its column, or
    /// [`FAR`].
    offsets: Vec<i8>,
    /// For each column, the number of rows since its last pixel of the silhouette.
    steps: Vec<i8>,
    nearest: NearestInRow,
}

impl<'p> OutlinedPainter<'p> {
    pub(crate) fn new(
        size: [u32; 2],
        stroke: Stroke,
        player: &'p PlacedPicture<'_>,
        figures: &FigureCache,
    ) -> Result<Self, RenderError> {
        let pixels = |side: u32| side as usize;
        let scene = player.picture.scene();
        Ok(OutlinedPainter {
            stroke,
            size: size.map(pixels),
            at: player.at.map(pixels),
            inner_size: player.picture.size.map(pixels),
            inner: Box::new(Painter::new(&player.picture, figures)?),
            is_mirrored: scene.is_some_and(|scene| scene.camera.is_mirrored()),
            drawn: Vec::new(),
            drawn_rows: 0..0,
            inner_rows: Vec::new(),
            offsets: Vec::new(),
            steps: Vec::new(),
            nearest: NearestInRow::default(),
        })
    }

    /// Draws some rows on blank pixels: straight RGBA.
    pub(crate) fn draw(
        &mut self,
        columns: &mut Vec<i16x8>,
        rows: Range<usize>,
        pixels: &mut [[u8; 4]],
    ) -> Result<(), RenderError> {
        let [width, height] = self.size;
        // A row more, because a neighbor of the nearest pixel may reach farther.
        let margin = self.reach() + 1;
        let window = rows.start.saturating_sub(margin)..height.min(rows.end + margin);
        self.reserve_rows(rows.len())?;
        self.draw_window(columns, window)?;
        self.find_in_columns(rows.clone());
        for (y, row) in rows.clone().zip(pixels.chunks_exact_mut(width)) {
            self.draw_row(rows.start, y, row);
            if self.is_mirrored {
                row.reverse();
            }
        }
        Ok(())
    }

    /// Returns the greatest distance of a pixel on the line from the nearest pixel of the
    /// silhouette.
    fn reach(&self) -> usize {
        self.stroke.width as usize + 1
    }

    /// Makes room for a strip of this many rows.
    fn reserve_rows(&mut self, rows: usize) -> Result<(), RenderError> {
        let [width, height] = self.size;
        let window = height.min(rows + 2 * (self.reach() + 1));
        // `reserve` would clear the rows that are kept.
        let missing = (width * window).saturating_sub(self.drawn.len());
        let reserved = self.drawn.try_reserve_exact(missing);
        reserved.map_err(|_| RenderError::OutOfMemory)?;
        reserve(&mut self.offsets, width, rows)?;
        reserve(&mut self.steps, width, 1)?;
        reserve(&mut self.nearest.sites, width, 1)
    }

    /// Draws the player in some rows, except those that are drawn already.
    fn draw_window(
        &mut self,
        columns: &mut Vec<i16x8>,
        window: Range<usize>,
    ) -> Result<(), RenderError> {
        let missing = self.move_window(window);
        let [left, top] = self.at;
        let [width, _] = self.size;
        let [inner_width, inner_height] = self.inner_size;
        let shared = missing.start.max(top)..missing.end.min(top + inner_height);
        if shared.is_empty() {
            return Ok(());
        }
        reserve(&mut self.inner_rows, inner_width, shared.len())?;
        self.inner_rows.resize(inner_width * shared.len(), [0; 4]);
        let own_rows = shared.start - top..shared.end - top;
        self.inner.draw(columns, own_rows, &mut self.inner_rows)?;
        let first = (shared.start - self.drawn_rows.start) * width;
        let rows = self.drawn[first..].chunks_exact_mut(width);
        for (row, inner_row) in rows.zip(self.inner_rows.chunks_exact(inner_width)) {
            let place = &mut row[left..left + inner_width];
            place.copy_from_slice(inner_row);
            if self.is_mirrored {
                place.reverse();
            }
        }
        Ok(())
    }

    /// Drops the rows above a window, appends blank ones below, and returns the blank ones.
    fn move_window(&mut self, window: Range<usize>) -> Range<usize> {
        let [width, _] = self.size;
        let drawn_end = self.drawn_rows.end;
        let first_kept = window.start.min(drawn_end);
        let dropped = first_kept - self.drawn_rows.start;
        self.drawn.drain(..dropped * width);
        let missing = drawn_end.max(window.start)..window.end;
        let length = self.drawn.len() + width * missing.len();
        self.drawn.resize(length, [0; 4]);
        self.drawn_rows = window;
        missing
    }

    /// Finds the nearest pixel of the silhouette above or below each pixel of some rows.
    fn find_in_columns(&mut self, rows: Range<usize>) {
        let [width, _] = self.size;
        let window = self.drawn_rows.clone();
        self.offsets.clear();
        self.offsets.resize(width * rows.len(), FAR);
        self.forget_steps();
        for y in (rows.start..window.end).rev() {
            self.count_steps(y);
            if y < rows.end {
                self.note_steps(y - rows.start, 1);
            }
        }
        self.forget_steps();
        for y in window.start..rows.end {
            self.count_steps(y);
            if y >= rows.start {
                self.note_steps(y - rows.start, -1);
            }
        }
    }

    /// Begins to count as if the last pixel of the silhouette were far away in every column.
    fn forget_steps(&mut self) {
        let [width, _] = self.size;
        self.steps.clear();
        self.steps.resize(width, FAR);
    }

    /// Goes on to a row, one step further from the last pixel of the silhouette in each column.
    fn count_steps(&mut self, y: usize) {
        let [width, _] = self.size;
        let row = &self.drawn[(y - self.drawn_rows.start) * width..][..width];
        for (steps, pixel) in self.steps.iter_mut().zip(row) {
            *steps = if pixel[3] > 0 {
                0
            } else {
                steps.saturating_add(1)
            };
        }
    }

    /// Takes the steps as the offsets of a row in each column in which they are within reach, and
    /// fewer than the known offset.
    fn note_steps(&mut self, row: usize, direction: i8) {
        let [width, _] = self.size;
        let reach = i8::try_from(self.reach()).expect("a line is narrow");
        let offsets = &mut self.offsets[row * width..][..width];
        for (offset, &steps) in offsets.iter_mut().zip(&self.steps) {
            if steps <= reach && steps < *offset {
                *offset = steps * direction;
            }
        }
    }

    /// Draws a row of the strip that begins with the row `start`.
    fn draw_row(&mut self, start: usize, y: usize, pixels: &mut [[u8; 4]]) {
        let width = pixels.len();
        let own = &self.drawn[(y - self.drawn_rows.start) * width..][..width];
        pixels.copy_from_slice(own);
        let offsets = &self.offsets[(y - start) * width..][..width];
        self.nearest.find(offsets);
        let sites = &self.nearest.sites;
        let mut nearest = 0;
        for (x, pixel) in pixels.iter_mut().enumerate() {
            while sites.get(nearest + 1).is_some_and(|next| next.start <= x) {
                nearest += 1;
            }
            let share = match pixel[3] {
                255 => continue,
                0 => self.share([x, y], nearest, offsets),
                _ => 1.0,
            };
            *pixel = over(*pixel, faded(self.stroke.color, share));
        }
    }

    /// Returns the share of a pixel outside of the silhouette that the line covers. The site of
    /// this number is the nearest one in the pixel's row.
    fn share(&self, [x, y]: [usize; 2], number: usize, offsets: &[i8]) -> f32 {
        let line_width = self.stroke.width as f32;
        let place = |site: &Site| {
            let offset = offsets[site.column];
            [site.column, y.strict_add_signed(offset.into())]
        };
        let sites = &self.nearest.sites;
        let Some(site) = sites.get(number) else {
            return 0.0;
        };
        let [nearest_x, nearest_y] = place(site);
        let distance = length(x.abs_diff(nearest_x), y.abs_diff(nearest_y));
        if distance <= line_width - 1.0 {
            return 1.0;
        }
        if distance >= line_width + 1.0 {
            return 0.0;
        }
        // The line around a faint pixel is narrower, so the line of another site may cover more.
        let mut most = 0.0_f32;
        let end = sites.len().min(number + 2);
        for other in &sites[number.saturating_sub(1)..end] {
            most = most.max(self.share_near([x, y], place(other)));
        }
        most.min(1.0)
    }

    /// Returns the share of a pixel that is covered by the line around a pixel of the silhouette
    /// and its neighbors. Within the line, it is more than 1.
    fn share_near(&self, [x, y]: [usize; 2], [center_x, center_y]: [usize; 2]) -> f32 {
        let [width, _] = self.size;
        let line_width = self.stroke.width as f32;
        let mut most = 0.0_f32;
        let columns = center_x.saturating_sub(1)..width.min(center_x + 2);
        let first = center_y.saturating_sub(1).max(self.drawn_rows.start);
        for row in first..self.drawn_rows.end.min(center_y + 2) {
            for column in columns.clone() {
                let alpha = self.drawn[(row - self.drawn_rows.start) * width + column][3];
                if alpha > 0 {
                    let covered = f32::from(alpha) / 255.0;
                    let to_center = length(x.abs_diff(column), y.abs_diff(row));
                    most = most.max(line_width + covered - to_center);
                }
            }
        }
        most
    }
}

fn length(across: usize, down: usize) -> f32 {
    ((across * across + down * down) as f32).sqrt()
}

#[expect(clippy::cast_possible_truncation, reason = "a share of a byte")]
fn faded([r, g, b, alpha]: [u8; 4], share: f32) -> [u8; 4] {
    let alpha = (f32::from(alpha) * share + 0.5) as u8;
    if alpha == 0 { [0; 4] } else { [r, g, b, alpha] }
}

#[cfg(test)]
mod tests;
