import assert from 'node:assert/strict';
import type { TabId } from '../../media/inspector/protocol/protocol';
import {
  fixture,
  messagesOf,
  messagesOfParts,
  sandboxParts,
  type SandboxFixture,
} from './fixtures';
import { InspectorPage, type InspectorPageOptions } from './inspector-page';
import { sharedBrowser } from './shared-browser';

export interface Inspectors {
  /** An inspector that has not received any message. */
  open(options?: InspectorPageOptions): Promise<InspectorPage>;
  /** An inspector that shows a fixture's call tree. */
  show(name: Parameters<typeof fixture>[0], options?: InspectorPageOptions): Promise<InspectorPage>;
  /** An inspector that shows a tab of an analysis with all parts loaded. */
  showTab(name: SandboxFixture, tab: TabId, options?: InspectorPageOptions): Promise<InspectorPage>;
}

/** Hooks for a suite of inspectors. After each test its pages are closed; they must not have logged an error. */
export function useInspectors(): Inspectors {
  const pages: InspectorPage[] = [];
  before(async function () {
    this.timeout(60_000);
    await sharedBrowser();
  });
  beforeEach(function () {
    // A browser shares the cores with whatever else runs.
    this.currentTest?.timeout(60_000);
  });
  afterEach(async () => {
    for (const inspector of pages.splice(0)) {
      await inspector.close();
      assert.deepEqual(inspector.problems, []);
    }
  });
  const inspectors: Inspectors = {
    async open(options) {
      const inspector = await InspectorPage.open(await sharedBrowser(), options);
      pages.push(inspector);
      return inspector;
    },
    async show(name, options) {
      const inspector = await inspectors.open(options);
      await inspector.post(...messagesOf(fixture(name)));
      if (!options?.saved) await inspector.tab('calls');
      return inspector;
    },
    async showTab(name, tab, options) {
      const inspector = await inspectors.open(options);
      await inspector.post(...messagesOfParts(sandboxParts(name)));
      await inspector.tab(tab);
      return inspector;
    },
  };
  return inspectors;
}
