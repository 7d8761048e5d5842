// In place of `transports/index.js` of engine.io-client, which has long-polling and WebTransport too.
import { WS } from "./websocket.node.js";

export const transports = { websocket: WS };
