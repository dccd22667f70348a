/** Most keys and scopes that are drawn. */
export const timelinesMax = 12;

/**
 * Most rows of marks and of curve steps in all timelines together, and most dots in one picture. More are drawn as one.
 */
export const marksMax = 4_000;
export const stepsMax = 7_000;
export const curveStepsMax = 150;
export const dotsMax = 500;
