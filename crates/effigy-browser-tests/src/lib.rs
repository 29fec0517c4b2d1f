//! Tests of the pages and of the element `<effigy-figure>` in a real browser, and of the snippets
//! for websites in their languages. All of them are in `tests/it`; this library is empty.
