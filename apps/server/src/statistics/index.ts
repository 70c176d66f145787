/** What the charts of the statistics screen show: counts of the matching rooms, and their licences. */
export { statisticsHandlers } from './statistics-routes.ts'
