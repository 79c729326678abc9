import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { AddressInfo, Server as TcpServer, Socket } from "node:net";
import { Server, utils, type Connection, type ServerChannel, type SFTPWrapper } from "ssh2";
import type { GuestAddress } from "../../provider/devices/guest-shell";
import type { ConnectionOptions } from "../../provider/devices/guest-ssh/connection";
import { makeKeyPair } from "./ssh-keys";

/**
 * A guest for tests: a real SSH transport in this process whose commands run with the machine's own
 * `sh`, in the environment given. It can be cut off and can vanish, which a real sshd cannot on
 * request.
 */
export class SshGuest {
  readonly clientKey = makeKeyPair();
  readonly hostKey = makeKeyPair();
  /** Logins that succeeded: tells whether a connection was made anew. */
  logins = 0;
  /** Command lines as they arrived. */
  readonly commands: string[] = [];
  /** Channels that are still to be refused, as a server does whose `MaxSessions` is reached. */
  refuseChannels = 0;
  /** Cuts the connection when the next command arrives, before it is answered. */
  cutOnCommand = false;
  private readonly sockets = new Set<Socket>();
  private readonly children = new Set<ChildProcess>();
  private readonly server: Server;
  private port = 0;

  constructor(
    readonly name: string,
    private readonly env: NodeJS.ProcessEnv = process.env,
  ) {
    this.server = new Server({ hostKeys: [this.hostKey.private] }, (client) => {
      this.accept(client);
    });
    // The documented class hides its TCP server; delays of 40 ms a packet come without this.
    const tcp = (this.server as unknown as { _srv: TcpServer })._srv;
    tcp.on("connection", (socket: Socket) => {
      socket.setNoDelay(true);
      this.sockets.add(socket);
      socket.on("close", () => this.sockets.delete(socket));
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((done) => this.server.listen(this.port, "127.0.0.1", done));
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }

  address(changes: Partial<GuestAddress> = {}): GuestAddress {
    return {
      name: this.name,
      host: "127.0.0.1",
      port: this.port,
      user: "root",
      privateKey: `test:${this.name}`,
      hostKey: this.hostKey.public,
      ...changes,
    };
  }

  options(changes: Partial<ConnectionOptions> = {}): ConnectionOptions {
    return { resolve: () => Promise.resolve(this.clientKey.private), ...changes };
  }

  /** Cuts all connections, as a network loss does; commands that run go on. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise<void>((done) =>
      this.server.close(() => {
        done();
      }),
    );
  }

  /** Ends what commands left running in the foreground. */
  killForeground(): void {
    for (const child of this.children) {
      try {
        process.kill(-child.pid!, "SIGKILL");
      } catch (error) {
        // It ended by itself, and its end has not been told yet.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
  }

  private accept(client: Connection): void {
    const allowed = utils.parseKey(this.clientKey.public);
    if (allowed instanceof Error) throw allowed;
    client.on("error", () => undefined);
    client.on("authentication", (ctx) => {
      if (ctx.method !== "publickey" || !ctx.key.data.equals(allowed.getPublicSSH())) {
        ctx.reject(["publickey"]);
        return;
      }
      if (ctx.signature && !allowed.verify(ctx.blob!, ctx.signature, ctx.hashAlgo)) {
        ctx.reject();
        return;
      }
      ctx.accept();
    });
    client.on("ready", () => {
      this.logins += 1;
      client.on("session", (accept, reject) => {
        if (this.refuseChannels > 0) {
          this.refuseChannels -= 1;
          reject();
          return;
        }
        const session = accept();
        session.on("exec", (acceptExec, _reject, info) => {
          if (this.cutOnCommand) {
            this.cutOnCommand = false;
            this.commands.push(info.command);
            this.cut();
            return;
          }
          this.run(acceptExec(), info.command);
        });
        session.on("sftp", (acceptSftp) => {
          serveReads(acceptSftp());
        });
      });
    });
  }

  private run(channel: ServerChannel, command: string): void {
    this.commands.push(command);
    const child = spawn("sh", ["-c", command], {
      env: this.env,
      stdio: "pipe",
      detached: true, // an own process group, so that killForeground reaches all of it
    });
    this.children.add(child);
    child.stdin.on("error", () => undefined);
    channel.on("error", () => undefined);
    channel.pipe(child.stdin);
    child.stdout.on("data", (data: Buffer) => channel.write(data));
    child.stderr.on("data", (data: Buffer) => channel.stderr.write(data));
    child.on("close", (code, signal) => {
      this.children.delete(child);
      if (signal) channel.exit(signal.replace("SIG", ""), false, "");
      else channel.exit(code ?? 1);
      channel.end();
    });
  }
}

/** The read half of SFTP version 3 (draft-ietf-secsh-filexfer-02). */
function serveReads(sftp: SFTPWrapper): void {
  const { STATUS_CODE } = utils.sftp;
  const files = new Map<number, number>();
  let next = 0;
  const statusOf = (error: unknown): number =>
    (error as NodeJS.ErrnoException).code === "ENOENT"
      ? STATUS_CODE.NO_SUCH_FILE
      : STATUS_CODE.FAILURE;
  sftp.on("OPEN", (id, path) => {
    try {
      const fd = openSync(path, "r");
      const handle = Buffer.alloc(4);
      handle.writeUInt32BE((next += 1));
      files.set(next, fd);
      sftp.handle(id, handle);
    } catch (error) {
      sftp.status(id, statusOf(error));
    }
  });
  sftp.on("FSTAT", (id, handle) => {
    const stat = fstatSync(files.get(handle.readUInt32BE())!);
    const seconds = Math.floor(stat.mtimeMs / 1000);
    sftp.attrs(id, {
      mode: stat.mode,
      uid: 0,
      gid: 0,
      size: stat.size,
      atime: seconds,
      mtime: seconds,
    });
  });
  sftp.on("READ", (id, handle, offset, length) => {
    const buffer = Buffer.alloc(length);
    const read = readSync(files.get(handle.readUInt32BE())!, buffer, 0, length, offset);
    if (read === 0) sftp.status(id, STATUS_CODE.EOF);
    else sftp.data(id, buffer.subarray(0, read));
  });
  sftp.on("CLOSE", (id, handle) => {
    closeSync(files.get(handle.readUInt32BE())!);
    sftp.status(id, STATUS_CODE.OK);
  });
}
