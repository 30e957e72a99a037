import { useEffect, useState } from 'preact/hooks';

/** Whether the window is taller than wide. Updates when the window changes. */
export function usePortrait(): boolean {
  const [query] = useState(() => matchMedia('(orientation: portrait)'));
  const [isPortrait, setPortrait] = useState(query.matches);
  useEffect(() => {
    function onChange(): void {
      setPortrait(query.matches);
    }
    query.addEventListener('change', onChange);
    return () => {
      query.removeEventListener('change', onChange);
    };
  }, [query]);
  return isPortrait;
}
