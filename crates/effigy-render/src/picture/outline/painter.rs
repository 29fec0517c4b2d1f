//! Drawing with a line around the silhouette, a few rows at a time.

use std::ops::Range;

use wide::i16x8;

use super::Line;
use super::nearest::{FAR, NearestInRow, Site};
use crate::RenderError;
use crate::picture::Placed;
use crate::picture::composite::over;
use crate::picture::painter::Painter;
use crate::scratch::reserve;

/// A picture that is drawn with an outline, from its first row to its last one.
///
/// The line is opaque where the distance to the silhouette is less than its width, and ends within
/// a pixel beyond. The distance to a pixel of the silhouette is that of the centers, less the
/// opacity of that pixel, which is the part of it that the silhouette covers. The nearest pixel of
/// each row is found among the nearest ones of each column, so a line of any width takes the same
/// time. (Meijster, Roerdink and Hesselink, "A General Algorithm for Computing Distance Transforms
/// in Linear Time", 2000)
pub(crate) struct OutlinedPainter<'p> {
    line: Line,
    /// Width and height of the whole picture.
    size: [usize; 2],
    /// The position of the top left corner of the player's picture, and its size.
    at: [usize; 2],
    inner_size: [usize; 2],
    inner: Box<Painter<'p>>,
    /// The player's picture is mirrored, and the line of both is the same.
    is_mirrored: bool,
    /// The player in some rows of the whole picture, without the line.
    drawn: Vec<[u8; 4]>,
    drawn_rows: Range<usize>,
    /// The rows of the player's picture before they are placed.
    inner_rows: Vec<[u8; 4]>,
    /// The distance down to the nearest pixel of the silhouette in the column, or [`FAR`].
    offsets: Vec<i8>,
    /// The rows since the last pixel of the silhouette in each column.
    steps: Vec<i8>,
    nearest: NearestInRow,
}

impl<'p> OutlinedPainter<'p> {
    pub(crate) fn new(
        size: [u32; 2],
        line: Line,
        (at, inner): &'p Placed<'_>,
    ) -> Result<Self, RenderError> {
        let pixels = |side: u32| side as usize;
        Ok(OutlinedPainter {
            line,
            size: size.map(pixels),
            at: at.map(pixels),
            inner_size: inner.size.map(pixels),
            inner: Box::new(Painter::new(inner)?),
            is_mirrored: inner
                .scene()
                .is_some_and(|scene| scene.camera.is_mirrored()),
            drawn: Vec::new(),
            drawn_rows: 0..0,
            inner_rows: Vec::new(),
            offsets: Vec::new(),
            steps: Vec::new(),
            nearest: NearestInRow::default(),
        })
    }

    /// Draws some rows on blank pixels: straight RGBA.
    pub(crate) fn draw<E: From<RenderError>>(
        &mut self,
        columns: &mut Vec<i16x8>,
        rows: Range<usize>,
        pixels: &mut [[u8; 4]],
    ) -> Result<(), E> {
        let [width, height] = self.size;
        let reach = self.reach();
        // A neighbor of the nearest pixel may be the one that counts.
        let window = rows.start.saturating_sub(reach + 1)..height.min(rows.end + reach + 1);
        self.reserve_rows(rows.len())?;
        self.draw_window::<E>(columns, window)?;
        self.find_in_columns(rows.clone());
        for (number, row) in pixels.chunks_exact_mut(width).enumerate() {
            self.draw_row(rows.start, number, row);
            if self.is_mirrored {
                row.reverse();
            }
        }
        Ok(())
    }

    /// Returns the greatest distance of a pixel on the line from the nearest of the silhouette.
    fn reach(&self) -> usize {
        self.line.width as usize + 1
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

    /// Draws the player in some rows. Rows that are drawn already are kept.
    fn draw_window<E: From<RenderError>>(
        &mut self,
        columns: &mut Vec<i16x8>,
        window: Range<usize>,
    ) -> Result<(), E> {
        let [width, _] = self.size;
        let kept = window.start.min(self.drawn_rows.end)..self.drawn_rows.end;
        let old = (kept.start - self.drawn_rows.start) * width;
        self.drawn.drain(..old);
        let missing = kept.end.max(window.start)..window.end;
        let start = self.drawn.len();
        self.drawn.resize(start + width * missing.len(), [0; 4]);
        self.drawn_rows = window;
        let [left, top] = self.at;
        let [inner_width, inner_height] = self.inner_size;
        let shared = missing.start.max(top)..missing.end.min(top + inner_height);
        if shared.is_empty() {
            return Ok(());
        }
        reserve(&mut self.inner_rows, inner_width, shared.len())?;
        self.inner_rows.resize(inner_width * shared.len(), [0; 4]);
        let own = shared.start - top..shared.end - top;
        self.inner
            .draw::<E>(columns, own, &mut self.inner_rows, &mut || Ok(()))?;
        let shared_rows = &mut self.drawn[start + (shared.start - missing.start) * width..];
        let inner_rows = self.inner_rows.chunks_exact(inner_width);
        for (row, inner_row) in shared_rows.chunks_exact_mut(width).zip(inner_rows) {
            let place = &mut row[left..left + inner_width];
            place.copy_from_slice(inner_row);
            if self.is_mirrored {
                place.reverse();
            }
        }
        Ok(())
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

    /// Begins to count in each column as if its last pixel of the silhouette were far away.
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

    /// Takes the steps as the offsets of a row where they are fewer than the ones that are known,
    /// and not too many.
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

    /// Draws the row of this number, counted from the first one that is drawn.
    fn draw_row(&mut self, start: usize, number: usize, pixels: &mut [[u8; 4]]) {
        let width = pixels.len();
        let y = start + number;
        let own = &self.drawn[(y - self.drawn_rows.start) * width..][..width];
        pixels.copy_from_slice(own);
        let offsets = &self.offsets[number * width..][..width];
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
            *pixel = over(*pixel, faded(self.line.color, share));
        }
    }

    /// Returns the share of a pixel beside the silhouette that the line covers, given the number of
    /// the nearest site of its row.
    fn share(&self, [x, y]: [usize; 2], number: usize, offsets: &[i8]) -> f32 {
        let line_width = self.line.width as f32;
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
        // Pixels that the silhouette covers less are farther away than they look, so another site
        // may count.
        let mut most = 0.0_f32;
        let end = sites.len().min(number + 2);
        for other in &sites[number.saturating_sub(1)..end] {
            most = most.max(self.share_near([x, y], place(other)));
        }
        most.min(1.0)
    }

    /// Returns the share of a pixel that the line around a pixel of the silhouette and its
    /// neighbors covers, which is more than 1 within the line.
    fn share_near(&self, [x, y]: [usize; 2], [center_x, center_y]: [usize; 2]) -> f32 {
        let [width, _] = self.size;
        let line_width = self.line.width as f32;
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
