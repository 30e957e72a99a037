/** Asks the run for something that its files share. @returns undefined where it shares nothing @throws Error with the reason if that cannot start */
export async function askRun<T>(path: string): Promise<T | undefined> {
  const url = process.env['TEST_SERVICES'];
  if (url === undefined) return undefined;
  const response = await fetch(url + path);
  const answer = (await response.json()) as T & { message?: string };
  if (!response.ok) throw new Error(answer.message);
  return answer;
}
