/** Tells webhooks what has become of rooms, for every feature that changes them. */
export { type CausingOperation, enqueueRoomWebhook, enqueueWebhooksOfRooms } from './enqueue-room-webhook.ts'
