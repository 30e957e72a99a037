import type { Browser } from 'playwright-core';
import { buildInspector, launchBrowser } from './inspector-page';

let browser: Promise<Browser> | undefined;

/** The browser of all suites of this process. The inspector's bundle is built before it starts. */
export function sharedBrowser(): Promise<Browser> {
  if (browser === undefined) {
    buildInspector();
    browser = launchBrowser();
  }
  return browser;
}

// A hook of the root suite: after the tests of all files.
after(async () => (await browser)?.close());
