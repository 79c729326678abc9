/** Longest time that the server may hold one WaitForUpdatesEx; the HTTP time-out is longer. */
export const maxWaitSeconds = 50;
/** Storage calls on one host at the same time: hostd works through them one after the other anyway. */
export const hostConcurrency = 4;
