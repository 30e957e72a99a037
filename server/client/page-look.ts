const TEXT = '#1f2328';
const QUIET = '#59636e';
const PAPER = '#ffffff';
const PANEL = '#f6f8fa';
const LINE = '#d1d9e0';
const ACCENT = '#0969da';
const SELECTED = '#ddf4ff';

/** Colours of assets and of good and bad values. People with red-green colour blindness can distinguish them as well. */
export const CHARTS = {
  blue: '#0969da',
  green: '#1a7f37',
  purple: '#8250df',
  yellow: '#9a6700',
  red: '#cf222e',
  orange: '#bc4c00',
} as const;

const COLOURS: Readonly<Record<string, string>> = {
  foreground: TEXT,
  'editor-foreground': TEXT,
  'icon-foreground': QUIET,
  'editor-background': PAPER,
  disabledForeground: QUIET,
  descriptionForeground: QUIET,
  focusBorder: ACCENT,
  'textLink-foreground': ACCENT,
  'textLink-activeForeground': ACCENT,
  'panel-border': LINE,
  'panelTitle-activeForeground': TEXT,
  'panelTitle-activeBorder': ACCENT,
  'panelTitle-inactiveForeground': QUIET,
  'list-hoverBackground': PANEL,
  'list-inactiveSelectionBackground': PANEL,
  'list-activeSelectionBackground': SELECTED,
  'list-activeSelectionForeground': TEXT,
  'list-focusOutline': ACCENT,
  'toolbar-hoverBackground': PANEL,
  'button-background': ACCENT,
  'button-foreground': PAPER,
  'button-hoverBackground': ACCENT,
  'badge-background': PANEL,
  'badge-foreground': TEXT,
  'widget-shadow': LINE,
  'input-background': PAPER,
  'input-foreground': TEXT,
  'input-border': LINE,
  'input-placeholderForeground': QUIET,
  'inputOption-activeBackground': SELECTED,
  'inputOption-activeForeground': TEXT,
  'inputOption-activeBorder': ACCENT,
  'inputValidation-errorBackground': '#ffebe9',
  'inputValidation-errorForeground': TEXT,
  'inputValidation-errorBorder': CHARTS.red,
  errorForeground: CHARTS.red,
  'debugTokenExpression-error': CHARTS.red,
  'editorWarning-foreground': CHARTS.yellow,
  'gitDecoration-addedResourceForeground': CHARTS.green,
  'dropdown-background': PAPER,
  'dropdown-foreground': TEXT,
  'dropdown-border': LINE,
  'menu-background': PAPER,
  'menu-foreground': TEXT,
  'menu-border': LINE,
  'menu-selectionBackground': SELECTED,
  'menu-selectionForeground': TEXT,
  'menu-separatorBackground': LINE,
  'progressBar-background': ACCENT,
  'editorWidget-background': PANEL,
  'editorWidget-foreground': TEXT,
  'editorWidget-border': LINE,
  'editorStickyScroll-background': PAPER,
  'editorStickyScroll-border': LINE,
  'editorStickyScrollHover-background': PANEL,
  'editor-findMatchHighlightBackground': '#fff8c5',
  'tree-inactiveIndentGuidesStroke': LINE,
  'editorOverviewRuler-findMatchForeground': CHARTS.yellow,
  'diffEditor-unchangedRegionBackground': PANEL,
  'scrollbarSlider-background': LINE,
};

const FONTS: Readonly<Record<string, string>> = {
  'font-family': 'system-ui, sans-serif',
  'font-size': '13px',
  'font-weight': 'normal',
  'editor-font-family': 'ui-monospace, monospace',
};

/** The theme of pages that are written outside the editor: dark on white, suitable for printing. */
export const PAGE_LOOK = {
  variables: Object.fromEntries(
    [
      ...Object.entries(COLOURS),
      ...Object.entries(CHARTS).map(([name, colour]) => [`charts-${name}`, colour] as const),
      ...Object.entries(FONTS),
    ].map(([name, value]) => [`--vscode-${name}`, value]),
  ),
  bodyClasses: ['vscode-light'],
};
