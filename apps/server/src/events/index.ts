/** The event stream of the consoles: hints about what changed. Written by platform/events.ts, read here. */
export { createEventHub } from './event-hub.ts'
export { eventHandlers } from './event-routes.ts'
