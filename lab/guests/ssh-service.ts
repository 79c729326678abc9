import { spawn } from "node:child_process";
import type { Server as TcpServer, Socket } from "node:net";
import {
  Server,
  utils,
  type AuthContext,
  type Connection,
  type ParsedKey,
  type ServerChannel,
  type Session,
} from "ssh2";

export interface SshServiceOptions {
  readonly address: string;
  readonly port: number;
  /** Host key, OpenSSH or PEM text. */
  readonly hostKey: string;
  /** The one key that may log in, as an authorized_keys line. */
  readonly authorizedKey: string;
  /** Environment of commands; clients may add to it, as `AcceptEnv *` lets them. */
  readonly env: Readonly<Record<string, string>>;
  /** Program that serves the subsystem `sftp` on its standard streams. */
  readonly sftpServer: string;
}

/**
 * The SSH server of a guest that is no more than processes (level C): OpenSSH's own would need its user in the passwd
 * of the machine. Commands run with the machine's `sh`; they outlive their connection as under OpenSSH, and one that
 * writes to a connection that is gone is ended by SIGPIPE.
 */
export class SshService {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private readonly allowed: ParsedKey;

  constructor(private readonly options: SshServiceOptions) {
    const allowed = utils.parseKey(options.authorizedKey);
    if (allowed instanceof Error) throw allowed;
    this.allowed = allowed;
    this.server = new Server({ hostKeys: [options.hostKey] }, (client) => {
      this.serve(client);
    });
    // The documented class hides its TCP server; without this every small packet waits 40 ms.
    const tcp = (this.server as unknown as { _srv: TcpServer })._srv;
    tcp.on("connection", (socket: Socket) => {
      socket.setNoDelay(true);
      this.sockets.add(socket);
      socket.on("close", () => this.sockets.delete(socket));
    });
  }

  /** @throws Error when the address cannot be listened on */
  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(this.options.port, this.options.address, resolve);
    });
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.server.close(() => {
        resolve();
      });
    });
  }

  private serve(client: Connection): void {
    // A client that vanishes is no event of the lab.
    client.on("error", () => undefined);
    client.on("authentication", (context) => {
      if (this.isAllowed(context)) context.accept();
      else context.reject(["publickey"]);
    });
    client.on("session", (accept) => {
      this.serveSession(accept());
    });
  }

  private isAllowed(context: AuthContext): boolean {
    if (context.method !== "publickey") return false;
    if (!context.key.data.equals(this.allowed.getPublicSSH())) return false;
    if (context.signature === undefined || context.blob === undefined) return true;
    return this.allowed.verify(context.blob, context.signature, context.hashAlgo);
  }

  private serveSession(session: Session): void {
    const asked: Record<string, string> = {};
    session.on("env", (accept: (() => void) | undefined, _reject: unknown, info) => {
      asked[info.key] = info.val;
      accept?.();
    });
    session.on("exec", (accept, _reject, { command }) => {
      runIn(accept(), ["/bin/sh", "-c", command], { ...asked, ...this.options.env });
    });
    session.on("subsystem", (accept, reject, { name }) => {
      if (name === "sftp") runIn(accept(), [this.options.sftpServer], { ...this.options.env });
      else reject();
    });
  }
}

function runIn(
  channel: ServerChannel,
  [program = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): void {
  const child = spawn(program, args, { env, cwd: env["HOME"], detached: true });
  child.on("error", (error) => {
    channel.stderr.write(`${error.message}\n`);
    channel.exit(127);
    channel.end();
  });
  child.stdin.on("error", () => undefined);
  channel.on("error", () => undefined);
  // Whoever goes on writing to a client that is gone gets SIGPIPE; what was detached goes on.
  channel.on("close", () => {
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr.destroy();
  });
  channel.pipe(child.stdin);
  child.stdout.pipe(channel, { end: false });
  child.stderr.pipe(channel.stderr, { end: false });
  child.on("close", (code, signal) => {
    if (signal === null) channel.exit(code ?? 1);
    else channel.exit(signal.replace("SIG", ""), false, "");
    channel.end();
  });
}
