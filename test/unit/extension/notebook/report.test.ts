import assert from 'node:assert/strict';
import { reportMarkdown, type ReportCell } from '../../../../extension/notebook/book/report-cells';
import { reportHtml } from '../../../../extension/notebook/report-html';

const PAGE = {
  source: { kind: 'transaction', chain: 'sandbox', transaction: `0x${'ab'.repeat(32)}` },
  parts: {},
} as const;

const CELLS: readonly ReportCell[] = [
  { kind: 'markdown', text: '# Incident', outputs: [] },
  {
    kind: 'rpc',
    text: '{ "method": "eth_chainId" }',
    outputs: [
      { kind: 'json', text: '"```\u202e"' },
      { kind: 'error', message: 'The fork <b> answers: no.' },
    ],
  },
  {
    kind: 'analyze',
    text: '0xab',
    outputs: [
      {
        kind: 'analysis',
        report: '# Succeeded\n\n## Call tree\n\n```text\n# a\n```\n',
        page: PAGE,
      },
    ],
  },
  { kind: 'regress', text: 'address: 0xab', outputs: [{ kind: 'text', text: '0xab same' }] },
  { kind: 'simulate', text: '{}', outputs: [] },
];

describe('the report of a notebook', () => {
  it('is the book with what its cells show, as Markdown', () => {
    assert.equal(
      reportMarkdown(CELLS),
      `# Incident

\`\`\`json forklens-rpc
{ "method": "eth_chainId" }
\`\`\`

\`\`\`\`json
"\`\`\`\\u{202e}"
\`\`\`\`

> **Not run to its end:** The fork \\<b\\> answers: no.

\`\`\`yaml forklens-analyze
0xab
\`\`\`

### Succeeded

#### Call tree

\`\`\`text
# a
\`\`\`

\`\`\`yaml forklens-regress
address: 0xab
\`\`\`

\`\`\`text
0xab same
\`\`\`

\`\`\`json forklens-simulate
{}
\`\`\`

*Not run.*
`,
    );
  });

  it('is one page that runs nothing but the inspector', async () => {
    const rendered: string[] = [];
    const html = await reportHtml({
      title: 'a "<b>',
      cells: [...CELLS, { kind: 'markdown', text: '<script>alert(1)</script>', outputs: [] }],
      render: (markdown) => {
        rendered.push(markdown);
        return Promise.resolve(`<p>${markdown}</p>`);
      },
      script: 'run()',
      style: 'a{}',
      translations: undefined,
    });
    assert.match(html, /<title>a &quot;&lt;b><\/title>/);
    assert.deepEqual(rendered.slice(0, 2), [
      '# Incident\n',
      '```json forklens-rpc\n{ "method": "eth_chainId" }\n```\n',
    ]);
    assert.ok(html.includes('<p>&lt;script>alert(1)&lt;/script>'));
    assert.ok(!html.includes('<script'));
    const [policy = ''] = /default-src[^"]*/.exec(html) ?? [];
    assert.match(
      policy,
      /^default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src( 'sha256-[\w+/=]+'){3}; font-src data:; img-src data: blob:; base-uri 'none'; form-action 'none'$/,
    );
    // The page of the analysis has the script that the policy allows.
    const [page = ''] = /srcdoc="([^"]*)"/.exec(html)?.slice(1) ?? [];
    assert.ok(page.includes('&lt;script>run()&lt;/script>'));
    assert.ok(page.includes(/script-src ('[^']*')/.exec(policy)?.[1] ?? 'none'));
  });
});
