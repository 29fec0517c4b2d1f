//! Tests of the pages and of the element `<effigy-figure>` in a real browser, in `tests/it`. This
//! library is empty.
