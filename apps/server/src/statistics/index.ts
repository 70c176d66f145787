/** Figures for the charts of the statistics screen: counts of the matching rooms, and their licences. */
export { statisticsHandlers } from './count-matching-rooms.ts'
