/** Style sheet of the page: the theme's own fonts and colours. */
export const ADDRESS_STYLE = `
body { color: var(--vscode-foreground); background: var(--vscode-editor-background); font-family: var(--vscode-font-family);
  font-size: var(--vscode-font-size); line-height: 22px; padding: 0 20px 20px; }
h1 { font-size: 1.4em; font-weight: 600; margin: 16px 0 0; overflow-wrap: anywhere; }
h2 { font-size: 1em; font-weight: 600; margin: 20px 0 4px; }
p { margin: 0; }
.address { color: var(--vscode-descriptionForeground); font-family: var(--vscode-editor-font-family); overflow-wrap: anywhere; }
.quiet { color: var(--vscode-descriptionForeground); }
.problem { color: var(--vscode-debugTokenExpression-error, var(--vscode-errorForeground)); }
a { color: var(--vscode-textLink-foreground); text-decoration: underline; }
a:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
nav { display: flex; flex-wrap: wrap; gap: 4px 16px; margin-top: 8px; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 16px; margin: 0; }
dt { color: var(--vscode-descriptionForeground); }
dd { margin: 0; overflow-wrap: anywhere; }
section:has(table) { overflow-x: auto; }
table { border-collapse: collapse; white-space: nowrap; }
th { color: var(--vscode-descriptionForeground); font-weight: 400; text-align: start; }
th, td { padding: 0 16px 0 0; }
td:nth-child(2), td:nth-child(5), th:nth-child(2), th:nth-child(5) { text-align: end; font-variant-numeric: tabular-nums; }
/* The balances have two columns. */
.balances td:last-child { text-align: end; font-variant-numeric: tabular-nums; }
ul { margin: 0; padding-inline-start: 18px; }
`;
