/** What is wrong now, and how full the regions are. */
export { Health, lookForProblems } from './Health.tsx'
