import { hasNoFault, WIDTHS } from './layout';
import { THEMES } from './themed-page';
import { useInspectors } from './use-inspectors';

describe('inspector: layout of all themes at all widths', () => {
  const inspectors = useInspectors();

  for (const theme of THEMES.filter((one) => one !== 'dark')) {
    for (const width of WIDTHS.filter((one) => one !== 400)) hasNoFault(inspectors, theme, width);
  }
});
