/** The event stream of the consoles: hints about changes, written by platform/events.ts and read here. */
export { createEventHub } from './event-hub.ts'
export { eventHandlers } from './event-routes.ts'
