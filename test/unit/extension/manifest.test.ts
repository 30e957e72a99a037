import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { AGENT_TOOLS } from '../../../server/agents/tools';

const ROOT = path.join(import.meta.dirname, '../../..');
const menuItem = z.object({
  command: z.string(),
  when: z.string().optional(),
  group: z.string().optional(),
});
const manifestSchema = z.object({
  main: z.string(),
  extensionKind: z.array(z.string()),
  activationEvents: z.array(z.string()),
  capabilities: z.object({
    untrustedWorkspaces: z.object({ restrictedConfigurations: z.array(z.string()) }),
  }),
  contributes: z.object({
    commands: z.array(
      z.object({
        command: z.string(),
        title: z.string(),
        category: z.string().optional(),
        icon: z.string().optional(),
        enablement: z.string().optional(),
      }),
    ),
    configuration: z.object({
      properties: z.record(
        z.string(),
        z.object({
          scope: z.string().optional(),
          default: z.unknown(),
          markdownDescription: z.string(),
        }),
      ),
    }),
    menus: z.record(z.string(), z.array(menuItem)),
    views: z.record(z.string(), z.array(z.object({ id: z.string(), icon: z.string() }))),
    viewsContainers: z.object({
      activitybar: z.array(z.object({ id: z.string(), icon: z.string() })),
    }),
    walkthroughs: z.array(
      z.object({
        id: z.string(),
        steps: z.array(
          z.object({
            id: z.string(),
            description: z.string(),
            media: z.object({ svg: z.string(), altText: z.string().min(10) }),
            completionEvents: z.array(z.string()).min(1),
          }),
        ),
      }),
    ),
    languages: z.array(z.object({ id: z.string() })),
    customEditors: z.array(
      z.object({ viewType: z.string(), selector: z.array(z.unknown()), priority: z.string() }),
    ),
    notebooks: z.array(z.object({ type: z.string(), selector: z.array(z.unknown()) })),
    notebookRenderer: z.array(z.object({ id: z.string(), mimeTypes: z.array(z.string()) })),
    languageModelTools: z.array(
      z.looseObject({ name: z.string(), modelDescription: z.string(), inputSchema: z.unknown() }),
    ),
    mcpServerDefinitionProviders: z.array(z.object({ id: z.string(), label: z.string() })),
    viewsWelcome: z.array(z.object({ view: z.string(), contents: z.string(), when: z.string() })),
  }),
});
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');
/** Texts of the `%key%` placeholders in the manifest. */
const texts = z.record(z.string(), z.string()).parse(JSON.parse(read('package.nls.json')));
const usedTexts = new Set<string>();
const manifest = manifestSchema.parse(
  JSON.parse(read('package.json'), (_, value: unknown) => {
    const key = typeof value === 'string' ? /^%(.+)%$/.exec(value)?.[1] : undefined;
    if (key === undefined) return value;
    usedTexts.add(key);
    return texts[key];
  }),
);
const { commands, configuration, menus, views, viewsContainers, viewsWelcome, walkthroughs } =
  manifest.contributes;
const steps = walkthroughs.flatMap((walkthrough) => walkthrough.steps);

const sources = readdirSync(path.join(ROOT, 'extension'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(path.join(ROOT, 'extension', file), 'utf8'));
const source = sources.join('\n');
/** Each command of the code with its parameters. */
const signatures = [
  ...readFileSync(path.join(ROOT, 'extension/model/commands.ts'), 'utf8').matchAll(
    /^ {2}'(forklens\.\w+)': \(([^)]*)\)/gm,
  ),
].map(([, id, parameters]) => ({ id: id!, parameters: parameters! }));
const declared = signatures.map(({ id }) => id);
const ids = commands.map(({ command }) => command);

describe('manifest', () => {
  it('keeps its texts in package.nls.json, for translation', () => {
    assert.deepEqual([...usedTexts].sort(), Object.keys(texts).sort());
    const { commands: raw } = (JSON.parse(read('package.json')) as typeof manifest).contributes;
    assert.deepEqual(
      raw.filter(({ title }) => !title.startsWith('%')).map(({ command }) => command),
      [],
    );
  });

  it('declares exactly the commands that the code registers', () => {
    assert.deepEqual([...ids].sort(), [...declared].sort());
    assert.equal(new Set(ids).size, ids.length);
  });

  it('has a title in title case, with to, on, or and and in lower case, and the category for every command', () => {
    for (const { command, title, category } of commands) {
      assert.equal(category, 'Forklens', command);
      assert.match(title, /^[A-Z][A-Za-z]*( ([A-Z][A-Za-z]*|to|on|or|and))*…?$/, command);
      assert.doesNotMatch(title, / (To|On|Or|And) /, command);
    }
  });

  it('refers only to existing commands', () => {
    const referred = [
      ...Object.values(menus).flatMap((items) => items.map(({ command }) => command)),
      ...[
        ...viewsWelcome.map(({ contents }) => contents),
        ...steps.map((step) => step.description),
      ].flatMap((text) => [...text.matchAll(/\(command:([\w.]+)\)/g)].map(([, id]) => id!)),
      ...steps.flatMap(({ completionEvents }) =>
        completionEvents.flatMap((event) => {
          const done = /^onContext:forklens\.done\.(\w+)$/.exec(event)?.[1];
          return done === undefined ? [] : [`forklens.${done}`];
        }),
      ),
    ];
    assert.deepEqual(
      referred.filter((id) => !ids.includes(id)),
      [],
    );
  });

  it('has an icon for every command that is shown as one', () => {
    const shown = Object.values(menus)
      .flat()
      .filter(({ group }) => group === 'inline' || group?.startsWith('navigation'));
    assert.notEqual(shown.length, 0);
    for (const { command } of shown) {
      const icon = commands.find((other) => other.command === command)?.icon;
      assert.match(icon ?? 'none', /^\$\([a-z-]+\)$/, command);
    }
  });

  it('hides commands that need an argument from the palette', () => {
    const hidden = menus['commandPalette']!.filter(({ when }) => when === 'false');
    const needy = signatures.filter(({ parameters }) => /^\w+:/.test(parameters));
    assert.deepEqual(hidden.map(({ command }) => command).sort(), needy.map(({ id }) => id).sort());
  });

  it('enables commands only if they can run', () => {
    const conditions = commands.flatMap(({ command, enablement }) =>
      enablement === undefined ? [] : [[command, enablement]],
    );
    assert.deepEqual(Object.fromEntries(conditions), {
      'forklens.toggleExecutedLines': 'debugType == forklens && inDebugMode',
      'forklens.switchBuild': 'debugType == forklens && inDebugMode',
      'forklens.goToWriter': 'debugType == forklens && inDebugMode',
      'forklens.goToStep': 'debugType == forklens && inDebugMode',
      'forklens.changeAndRunAgain': 'debugType == forklens && inDebugMode',
      'forklens.signOut': 'forklens.session != signedOut',
      'forklens.copyAccessKey': 'forklens.session != signedOut',
      'forklens.startService': 'forklens.service != running && forklens.service != starting',
      'forklens.restartService': 'forklens.service == running || forklens.service == failed',
      'forklens.stopService': 'forklens.service == running || forklens.service == starting',
      'forklens.copyServiceUrl': 'forklens.service == running',
      'forklens.copySessionLink': 'debugType == forklens && inDebugMode',
      'forklens.analyzeSandboxTransaction': 'config.forklens.sandbox.enabled',
      'forklens.bindNotebook': "notebookType == 'forklens-book'",
      'forklens.exportNotebook': "notebookType == 'forklens-book'",
      'forklens.installCompiler': 'config.forklens.service.mode != remote',
      'forklens.addEndpoint': 'config.forklens.service.mode != remote',
      'forklens.manageEndpoints': 'config.forklens.service.mode != remote',
      'forklens.saveAsCase': 'config.forklens.service.mode != remote',
      'forklens.openCase': 'config.forklens.service.mode != remote',
      'forklens.closeCase': 'config.forklens.service.mode != remote',
    });
  });

  it('shows every menu item under a condition, in a group', () => {
    for (const [menu, items] of Object.entries(menus)) {
      for (const { command, when, group } of items) {
        assert.ok(when !== undefined, `${menu}: ${command}`);
        assert.ok(menu === 'commandPalette' || group !== undefined, `${menu}: ${command}`);
      }
    }
  });

  it('uses only actions in menus that nodes offer', () => {
    const nodeDisplay = readFileSync(path.join(ROOT, 'extension/model/node-display.ts'), 'utf8');
    const offered = /type NodeAction =([^;]*);/.exec(nodeDisplay)![1]!.match(/\w+/g)!;
    const asked = menus['view/item/context']!.filter(({ when }) =>
      when?.includes('view == forklens.projects'),
    ).map(({ when }) => /can:(\w+)/.exec(when ?? '')?.[1]);
    assert.deepEqual(
      asked.filter((action) => action === undefined || !offered.includes(action)),
      [],
    );
  });

  it('declares exactly the settings that the code reads', () => {
    const read = [...source.matchAll(/settings\.get\('([\w.]+)'/g)].map(
      ([, name]) => `forklens.${name!}`,
    );
    assert.deepEqual([...new Set(read)].sort(), Object.keys(configuration.properties).sort());
  });

  it('prevents a workspace from choosing the service that receives the access key', () => {
    const scopeOf = (name: string): string | undefined => configuration.properties[name]?.scope;
    assert.equal(scopeOf('forklens.service.mode'), 'machine');
    assert.equal(scopeOf('forklens.service.url'), 'machine');
    assert.equal(scopeOf('forklens.service.dataDirectory'), 'machine');
    assert.deepEqual(
      manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.toSorted(),
      Object.keys(configuration.properties).sort(),
    );
  });

  it('uses only context keys that the code sets', () => {
    const conditions = [
      ...Object.values(menus).flatMap((items) => items.map(({ when }) => when ?? '')),
      ...viewsWelcome.map(({ when }) => when),
      ...commands.map(({ enablement }) => enablement ?? ''),
    ].join(' ');
    const asked = new Set(
      [...conditions.matchAll(/(?<![\w.])forklens\.\w+(?= [!=]=)/g)].map(([key]) => key),
    );
    assert.deepEqual([...asked].sort(), ['forklens.service', 'forklens.session']);
    for (const key of asked) assert.ok(source.includes(`setContext('${key}'`), key);
  });

  it('draws the images of its walkthrough in the colours of the theme', () => {
    assert.ok(steps.length >= 5);
    for (const { media } of steps) {
      const svg = readFileSync(path.join(ROOT, media.svg), 'utf8');
      const colours = [...svg.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, colour]) => colour!);
      for (const colour of colours) assert.match(colour, /^(none|var\(--vscode-.*\))$/, media.svg);
    }
  });

  it('offers agents the same tools as the service', () => {
    const tools = Object.entries(AGENT_TOOLS).map(([name, { description, input }]) => {
      const inputSchema = z.toJSONSchema(input, { io: 'input' });
      delete inputSchema.$schema; // the editor's schemas contain none
      return { name: `forklens_${name}`, modelDescription: description, inputSchema };
    });
    assert.deepEqual(
      manifest.contributes.languageModelTools.map(({ name, modelDescription, inputSchema }) => ({
        name,
        modelDescription,
        inputSchema,
      })),
      JSON.parse(JSON.stringify(tools)),
    );
    const [provider] = manifest.contributes.mcpServerDefinitionProviders;
    assert.ok(source.includes(`PROVIDER = '${provider!.id}'`));
  });

  it('has its icons, in one colour', () => {
    const icons = [...Object.values(views).flat(), ...viewsContainers.activitybar];
    for (const { icon } of icons) {
      const svg = readFileSync(path.join(ROOT, icon), 'utf8');
      const colours = [...svg.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, colour]) => colour);
      assert.deepEqual([...new Set(colours)].sort(), ['#000', 'none']);
    }
  });

  it('has the notebook, with the languages of its cells and what shows its outputs', () => {
    const { languages, notebooks, notebookRenderer } = manifest.contributes;
    const own = languages.map(({ id }) => id).filter((id) => id.startsWith('forklens-'));
    assert.deepEqual(own, [
      'forklens-rpc',
      'forklens-simulate',
      'forklens-analyze',
      'forklens-bisect',
      'forklens-regress',
    ]);
    assert.deepEqual(notebooks, [
      { type: 'forklens-book', selector: [{ filenamePattern: '*.forklens-book' }] },
    ]);
    const renderers = notebookRenderer.map(({ id, mimeTypes }) => [id, ...mimeTypes]).flat();
    const types = ['analysis', 'replay'].map((name) => `application/vnd.forklens.${name}+json`);
    assert.deepEqual(renderers, ['forklens-analysis', ...types]);
    for (const used of [...own, ...renderers]) assert.ok(source.includes(`'${used}'`), used);
  });

  it('has the editor of case files', () => {
    assert.deepEqual(manifest.contributes.customEditors, [
      {
        viewType: 'forklens.case',
        selector: [{ filenamePattern: '*.forklens' }],
        priority: 'default',
      },
    ]);
    assert.ok(source.includes("CASE_EDITOR = 'forklens.case'"));
  });

  it("activates for the panels it restores, for debug sessions and their sources, for notebooks, and after the editor's start for its links", () => {
    const viewTypes = [...source.matchAll(/VIEW_TYPE = '(forklens\.\w+)'/g)].map(([, id]) => id!);
    assert.ok(viewTypes.length > 0);
    assert.deepEqual(
      manifest.activationEvents.toSorted(),
      [
        ...viewTypes.map((id) => `onWebviewPanel:${id}`),
        'onDebugResolve:forklens',
        'onFileSystem:forklens-source',
        'onStartupFinished',
        'onNotebook:forklens-book',
      ].sort(),
    );
    assert.deepEqual(manifest.extensionKind, ['workspace']);
  });
});
