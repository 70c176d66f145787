/** Reports a task's progress, from 0 to 1. Each call also shows that the task is still working. */
export type Report = (progress: number) => void
