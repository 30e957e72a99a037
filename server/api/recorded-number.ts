/** The greatest number of a step or a call, and the greatest offset, in requests to a recording. */
export const MOST_RECORDED_NUMBER = 999_999_999;
