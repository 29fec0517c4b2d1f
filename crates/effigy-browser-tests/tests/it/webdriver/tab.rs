//! The browser of a test, which the next test has after it.

use std::{ops::Deref, sync::Mutex, thread};

use super::Browser;

/// The browsers of this process.
static POOL: Mutex<Pool> = Mutex::new(Pool {
    tabs: 0,
    waiting: Vec::new(),
});

struct Pool {
    /// The number of tests that have a browser.
    tabs: usize,
    /// The browsers that wait for the next test. The last test ends them.
    waiting: Vec<Browser>,
}

/// A browser of a test, with a new tab. Another test has it next, unless this one fails.
pub(crate) struct Tab {
    /// `None` if there is no browser on this machine, and after the end.
    browser: Option<Browser>,
}

impl Tab {
    /// Opens a tab. Without a browser on this machine, says so and returns `None`.
    pub(crate) fn open() -> Option<Self> {
        let waiting = {
            let mut pool = POOL.lock().unwrap();
            pool.tabs += 1;
            pool.waiting.pop()
        };
        // From now on a drop counts the tab out, also if no browser can be started.
        let mut tab = Self { browser: waiting };
        if tab.browser.is_none() {
            tab.browser = Browser::start();
        }
        if tab.browser.is_some() {
            Some(tab)
        } else {
            None
        }
    }
}

impl Deref for Tab {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        let browser = self.browser.as_ref();
        browser.expect("a tab that was opened has a browser until it is dropped")
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        let mut reusable = None;
        if let Some(browser) = self.browser.take()
            && !thread::panicking()
        {
            browser.replace_tab();
            reusable = Some(browser);
        }
        let mut ended = Vec::new();
        {
            let mut pool = POOL.lock().unwrap();
            pool.tabs -= 1;
            if let Some(browser) = reusable {
                pool.waiting.push(browser);
            }
            if pool.tabs == 0 {
                ended.append(&mut pool.waiting);
            }
        }
        // A browser takes a while to end, so the pool is free by now.
        drop(ended);
    }
}
