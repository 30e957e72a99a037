import { useEffect, useState } from 'preact/hooks';

/** Whether the window is taller than wide. Updates when the window changes. */
export function useUpright(): boolean {
  const [query] = useState(() => matchMedia('(orientation: portrait)'));
  const [isUpright, setUpright] = useState(query.matches);
  useEffect(() => {
    function onChange(): void {
      setUpright(query.matches);
    }
    query.addEventListener('change', onChange);
    return () => {
      query.removeEventListener('change', onChange);
    };
  }, [query]);
  return isUpright;
}
