/** Tells how far a task is, from 0 to 1. Each call also shows that the task is still working. */
export type Report = (progress: number) => void
