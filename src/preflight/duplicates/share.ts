/** Whether so many are at least so many percent of all. */
export const isShare = (percent: number, count: number, of: number): boolean => count * 100 >= percent * of;
