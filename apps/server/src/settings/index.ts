/** Settings for all regions: the welcome video. Customers' rooms read them through the public call. */
export { configurationHandlers } from './configuration-routes.ts'
